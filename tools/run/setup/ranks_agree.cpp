// Hashes of the program file (0 if it cannot be read), of the config and of the inputs, compared with those of rank 0.
#include "tools/run/setup/ranks_agree.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {
void check_ranks_agree(const Config& config, u64 inputs_hash, engine::Transport& transport) {
  if (transport.size() == 1) return;
  const std::string plugins = plugin_text();
  const std::array<u64, 4> mine{hash_file("/proc/self/exe").value_or(0), fnv1a(config.toml()), inputs_hash,
                                fnv1a(plugins)};
  std::vector<std::byte> bytes(sizeof mine);
  std::memcpy(bytes.data(), mine.data(), sizeof mine);
  transport.broadcast(bytes);
  std::array<u64, 4> first{};
  std::memcpy(first.data(), bytes.data(), sizeof first);
  // The lowest rank that differs, in the program, in the config, in the inputs and in the plug-ins.
  const u64 none = transport.size();
  std::array<u64, 4> differs{none, none, none, none};
  for (std::size_t k = 0; k < differs.size(); ++k) {
    if (mine[k] != first[k]) differs[k] = transport.rank();
  }
  transport.min(differs);
  if (differs[0] != none) {
    throw SystemError(fmt::format(
        "ranks 0 and {} run different builds of weft (their program files differ); start all ranks with the same one",
        differs[0]));
  }
  if (differs[1] != none) {
    throw ConfigError(fmt::format(
        "ranks 0 and {} have different configs; start all ranks with the same file and the same --set", differs[1]));
  }
  if (differs[2] != none) {
    throw InputError(fmt::format(
        "ranks 0 and {} read different files under one name (trace or placement); give all hosts the same ones",
        differs[2]));
  }
  if (differs[3] != none) {
    throw ConfigError(
        fmt::format("ranks 0 and {} have different plug-ins under one name; give all hosts the same ones", differs[3]));
  }
}

}  // namespace weft::tools
