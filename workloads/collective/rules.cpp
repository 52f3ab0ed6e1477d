// Looks up tables of rules.
#include "workloads/collective/rules.hpp"

#include "engine/error.hpp"

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

}  // namespace weft::workloads
