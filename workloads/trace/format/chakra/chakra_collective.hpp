// Collective operations of Chakra as messages.
#pragma once

#include <memory>
#include <string>

#include "workloads/program/program.hpp"

namespace weft::workloads {

/// A collective operation of a node.
struct ChakraCollective {
  u64 type = 0;   ///< Chakra's CollectiveCommType
  u64 bytes = 0;  ///< comm_size
  u32 ranks = 0;
  static constexpr u64 types = 10;
};

/// Whether it has a root.
[[nodiscard]] bool has_root(const ChakraCollective& call);

/// Its program among the places behind the root; null if there is nothing to do. Algorithms are rings as NCCL's, or, if
/// a `library` is named, what its rules choose. Throws ConfigError (library).
[[nodiscard]] std::unique_ptr<Program> chakra_program(const ChakraCollective& call, const std::string& library);

}  // namespace weft::workloads
