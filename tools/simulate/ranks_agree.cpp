// Hashes of the program file (0 if it cannot be read) and of the config, compared with those of rank 0.
#include "tools/simulate/ranks_agree.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "engine/error.hpp"
#include "tools/hash/hash.hpp"

namespace weft::tools {
void check_ranks_agree(const Config& config, engine::Transport& transport) {
  if (transport.size() == 1) return;
  const std::array<u64, 2> mine{hash_file("/proc/self/exe").value_or(0), fnv1a(config.toml())};
  std::vector<std::byte> bytes(sizeof mine);
  std::memcpy(bytes.data(), mine.data(), sizeof mine);
  transport.broadcast(bytes);
  std::array<u64, 2> first{};
  std::memcpy(first.data(), bytes.data(), sizeof first);
  // The lowest rank that differs, in the program and in the config.
  const u64 none = transport.size();
  std::array<u64, 2> differs{none, none};
  for (std::size_t k = 0; k < 2; ++k) {
    if (mine[k] != first[k]) differs[k] = transport.rank();
  }
  transport.min(differs);
  if (differs[0] != none) {
    throw SystemError("ranks 0 and " + std::to_string(differs[0]) +
                      " run different builds of weft (their program files differ); start all ranks with the same one");
  }
  if (differs[1] != none) {
    throw ConfigError("ranks 0 and " + std::to_string(differs[1]) +
                      " have different configs; start all ranks with the same file and the same --set");
  }
}

}  // namespace weft::tools
