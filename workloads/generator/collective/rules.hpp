// How MPI libraries choose the algorithm of a collective operation: a file for each, found by name.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/base/complaint.hpp"
#include "engine/base/registry.hpp"
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {

/// What a library takes for an operation.
struct CollectiveChoice {
  std::string algorithm;
  bool in_one_piece = false;  ///< algorithms that cut data into segments do not
};

/// The rules of a library, as it comes.
struct CollectiveRules {
  std::string help;  ///< one line: the library
  /// Chooses by operation, tasks, message_bytes and commutative of a spec, tasks not 0; bytes are elements. None: it
  /// has no such operation.
  std::function<std::optional<CollectiveChoice>(const CollectiveSpec& spec)> choose;
};
using CollectiveRulesRegistry = Registry<CollectiveRules>;

/// What is wrong with that value of workload.collectives, if it is neither empty nor a library of the registry.
[[nodiscard]] std::optional<Complaint> unless_rules(const std::string& library);

/// From as many tasks on, and from as many bytes on, this algorithm. Rows are in ascending order of both; those of the
/// largest number of tasks that is not above count, and of them the last whose bytes are not above.
struct CollectiveRow {
  u32 tasks;
  u64 bytes;
  const char* algorithm;
};
[[nodiscard]] const char* algorithm_of(std::span<const CollectiveRow> rows, u32 tasks, u64 bytes);

}  // namespace weft::workloads
