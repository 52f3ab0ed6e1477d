// Reads /proc/meminfo, the files of the memory cgroups from this process's own up to the root, and SLURM's variables.
#include "engine/base/system/memory.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "engine/base/text/parsed.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
constexpr u64 mib = u64{1} << 20;

std::optional<u64> number_in(const std::string& text) {
  std::string_view left(text);
  return take_number<u64>(left);
}

/// The number that a file begins with; nothing for "max" or a file that is not there.
std::optional<u64> number_from(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  return file >> word ? number_in(word) : std::nullopt;
}

std::optional<u64> free_memory(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    u64 kib = 0;
    if (words >> name >> kib && name == "MemAvailable:") return kib * 1024;
  }
  return std::nullopt;
}

/// Names of a version of cgroups.
struct CgroupFiles {
  const char *mount, *limit, *usage, *inactive_cache, *active_cache;
};
constexpr CgroupFiles version_2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "active_file"};
constexpr CgroupFiles version_1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file", "total_active_file"};

/// What a cgroup has left, its page cache, which can be dropped, counted as free.
std::optional<u64> left_in(const fs::path& folder, const CgroupFiles& names) {
  const std::optional<u64> limit = number_from(folder / names.limit), usage = number_from(folder / names.usage);
  if (!limit || !usage || *limit > (u64{1} << 60)) return std::nullopt;  // version 1 writes a huge number for "none"
  u64 cache = 0;
  std::ifstream stat(folder / "memory.stat");
  std::string name;
  for (u64 value = 0; stat >> name >> value;) {
    if (name == names.inactive_cache || name == names.active_cache) cache += value;
  }
  const u64 used = *usage > cache ? *usage - cache : 0;
  return *limit > used ? *limit - used : 0;
}

/// The least that any cgroup from the process's own up to the root has left.
std::optional<u64> left_in_cgroups(const fs::path& root) {
  std::optional<u64> least;
  const auto consider = [&least](std::optional<u64> left) {
    if (left && (!least || *left < *least)) least = left;
  };
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    // hierarchy:controllers:path; version 2 has no controllers
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    const CgroupFiles& names = unified ? version_2 : version_1;
    // A container may see its own cgroup as the root of the mount.
    for (fs::path below = fs::path(line.substr(second + 1)).relative_path();; below = below.parent_path()) {
      consider(left_in(root / names.mount / below, names));
      if (below.empty()) break;
    }
  }
  return least;
}

}  // namespace

AvailableMemory available_memory(const MemorySources& sources) {
  AvailableMemory least{std::numeric_limits<u64>::max(), "nothing"};
  const auto consider = [&least](std::optional<u64> bytes, const char* said_by) {
    if (bytes && *bytes < least.bytes) least = {*bytes, said_by};
  };
  const fs::path root = sources.root.empty() ? fs::path("/") : fs::path(sources.root);
  const auto variable = [&sources](const char* name) -> std::optional<u64> {
    const char* const text = sources.variable(name);
    const std::optional<u64> value = text == nullptr ? std::nullopt : number_in(text);
    return value && *value > 0 ? value : std::nullopt;  // SLURM says 0 for "all of the node"
  };
  consider(free_memory(root), "free memory");
  consider(left_in_cgroups(root), "cgroup limit");
  if (const auto of_node = variable("SLURM_MEM_PER_NODE")) consider(*of_node * mib, "SLURM_MEM_PER_NODE");
  const auto of_cpu = variable("SLURM_MEM_PER_CPU"), cpus = variable("SLURM_CPUS_ON_NODE");
  if (of_cpu && cpus) consider(*of_cpu * *cpus * mib, "SLURM_MEM_PER_CPU");
  return least;
}

AvailableMemory available_memory() {
  return available_memory({"", [](const char* name) -> const char* { return std::getenv(name); }});
}

}  // namespace weft
