// Looks up tables of rules.
#include "workloads/generator/collective/rules.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"

namespace weft::workloads {

const char* algorithm_of(std::span<const CollectiveRow> rows, u32 tasks, u64 bytes) {
  u32 from = 0;
  for (const CollectiveRow& row : rows) {
    if (row.tasks <= tasks) from = row.tasks;
  }
  const char* found = nullptr;
  for (const CollectiveRow& row : rows) {
    if (row.tasks == from && row.bytes <= bytes) found = row.algorithm;
  }
  WEFT_ASSERT(found != nullptr);
  return found;
}

std::optional<Complaint> unless_rules(const std::string& library) {
  const auto& registry = CollectiveRulesRegistry::instance();
  if (library.empty() || registry.find(library) != nullptr) return {};
  return Complaint{"workload.collectives", "is no MPI library whose rules are known",
                   fmt::format("did you mean \"{}\"?", nearest(library, registry.names()))};
}

}  // namespace weft::workloads
