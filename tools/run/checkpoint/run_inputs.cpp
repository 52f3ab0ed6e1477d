// A file is looked at before it is hashed and after it was read: while nothing but its age of access changes, it is the
// same.
#include "tools/run/checkpoint/run_inputs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <sys/stat.h>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/frozen.hpp"

namespace weft::tools {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("cannot read '{}' ({}); give the path of a readable file", path, why));
}

u64 hash_of(const std::string& path) {
  errno = 0;
  const std::optional<u64> hash = hash_file(path);
  if (!hash) fail(path, errno != 0 ? std::strerror(errno) : "a read failed");
  return *hash;
}

}  // namespace

bool RunInputs::File::looks_like(const File& other) const {
  return device == other.device && inode == other.inode && bytes == other.bytes && modified_ns == other.modified_ns;
}

RunInputs::File RunInputs::look_at(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) fail(path, std::strerror(errno));
  File file{path, status.st_dev, status.st_ino, static_cast<u64>(status.st_size), 0, 0};
  constexpr u64 ns_per_s = 1'000'000'000;
  file.modified_ns = static_cast<u64>(status.st_mtim.tv_sec) * ns_per_s + static_cast<u64>(status.st_mtim.tv_nsec);
  return file;
}

RunInputs::RunInputs(const Config& config) {
  const std::vector<std::string> more = files_behind(config);
  several_ = !more.empty();
  std::vector<std::string> keys = workload_files(config);
  const std::size_t of_workload = keys.size();
  for (std::string& key : placement_files(config)) keys.push_back(std::move(key));
  for (const std::string& key : network_files(config)) keys.push_back(key);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t before = files_.size();
    add(config.resolve_path(config.text(keys[k])));
    const u64 both[2] = {hash_, files_.size() > before ? files_.back().hash : 0};
    hash_ = k == 0 && of_workload > 0 ? both[1] : hash_bytes(std::as_bytes(std::span(both)));
  }
  for (const std::string& path : more) {
    if (std::ranges::any_of(files_, [&](const File& file) { return file.path == path; })) continue;
    add(path);
    const u64 both[2] = {hash_, files_.back().hash};
    hash_ = hash_bytes(std::as_bytes(std::span(both)));
  }
}

void RunInputs::add(const std::string& path) {
  struct stat status = {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  // A folder or a pattern: its files are added each.
  if (several_ && (there ? S_ISDIR(status.st_mode) : path.find_first_of("*?") != std::string::npos)) return;
  if (there && S_ISDIR(status.st_mode)) fail(path, "it is a directory");
  if (there && !S_ISREG(status.st_mode)) {
    unrepeatable_ = path;
    return;
  }
  File file = look_at(path);
  file.hash = hash_of(path);
  files_.push_back(std::move(file));
}

void RunInputs::check_unchanged() const {
  for (const File& file : files_) {
    struct stat status = {};
    if (::stat(file.path.c_str(), &status) != 0 && errno == ENOENT) continue;  // it was still there to be read
    // Another date or another file with the same content will do.
    if (file.looks_like(look_at(file.path)) || hash_of(file.path) == file.hash) continue;
    throw InputError(fmt::format(
        "'{}' was changed while the run read it; start again, with files that nobody writes to", file.path));
  }
}

}  // namespace weft::tools
