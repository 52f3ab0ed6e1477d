// Hashes of the program file (0 if it cannot be read), of the config and of the inputs, compared with those of rank 0.
#include "tools/simulate/ranks_agree.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "engine/error.hpp"
#include "tools/hash/hash.hpp"

namespace weft::tools {
void check_ranks_agree(const Config& config, u64 inputs_hash, engine::Transport& transport) {
  if (transport.size() == 1) return;
  const std::array<u64, 3> mine{hash_file("/proc/self/exe").value_or(0), fnv1a(config.toml()), inputs_hash};
  std::vector<std::byte> bytes(sizeof mine);
  std::memcpy(bytes.data(), mine.data(), sizeof mine);
  transport.broadcast(bytes);
  std::array<u64, 3> first{};
  std::memcpy(first.data(), bytes.data(), sizeof first);
  // The lowest rank that differs, in the program, in the config and in the inputs.
  const u64 none = transport.size();
  std::array<u64, 3> differs{none, none, none};
  for (std::size_t k = 0; k < differs.size(); ++k) {
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
  if (differs[2] != none) {
    throw InputError("ranks 0 and " + std::to_string(differs[2]) +
                     " read different files under one name (trace or placement); give all hosts the same ones");
  }
}

}  // namespace weft::tools
