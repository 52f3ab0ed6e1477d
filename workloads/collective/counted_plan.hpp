// Plans of operations whose pieces differ.
#pragma once

#include "workloads/collective/collective_plan.hpp"
#include "workloads/collective/piece_counts.hpp"

namespace weft::workloads {

/// Pieces are all of message_bytes where there are no counts. Empty messages are not sent.
struct CountedPlan : CollectivePlan {
  std::shared_ptr<const PieceCounts> counts;

  [[nodiscard]] u64 of(u32 task) const { return counts ? counts->of(task) : bytes; }
  [[nodiscard]] u64 of(u32 from, u32 to) const { return counts ? counts->of(from, to) : bytes; }
  /// Of tasks in a row, round the ring of all.
  [[nodiscard]] u64 of_row(u32 first, u32 count) const { return counts ? counts->of_row(first, count) : bytes * count; }
};

/// The program of such a plan, of a resolved spec.
template <class Plan>
[[nodiscard]] std::unique_ptr<Program> counted_program(const CollectiveSpec& spec) {
  Plan plan{};
  plan.tasks = spec.tasks;
  plan.bytes = spec.message_bytes;
  plan.repetitions = spec.repetitions;
  plan.counts = spec.counts;
  return planned_program(fmt::format("{} ({}) of {}", spec.operation, spec.algorithm, spec.tasks), spec.tasks, plan);
}

}  // namespace weft::workloads
