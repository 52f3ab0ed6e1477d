// Plans of operations whose pieces differ.
#pragma once

#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/collective/piece_counts.hpp"

namespace weft::workloads {

/// Pieces are all of message_bytes where there are no counts.
struct CountedPlan : CollectivePlan {
  std::shared_ptr<const PieceCounts> counts;
  bool sends_empty = false, sends_to_itself = false;  ///< as CollectiveSpec says

  [[nodiscard]] u64 of(u32 task) const { return counts ? counts->of(task) : bytes; }
  [[nodiscard]] u64 of(u32 from, u32 to) const { return counts ? counts->of(from, to) : bytes; }
  /// A piece to another task, or from it; empty ones only if they are sent.
  [[nodiscard]] Op send_piece(u32 to, u64 length, u64 tag) const {
    return length > 0 || sends_empty ? send_op(to, length, static_cast<u32>(tag)) : Op{};
  }
  [[nodiscard]] Op receive_piece(u32 from, u64 length, u64 tag) const {
    return length > 0 || sends_empty ? receive_op(from, length, static_cast<u32>(tag)) : Op{};
  }
  /// Bytes of the pieces of tasks in a row, round the ring of all.
  [[nodiscard]] u64 of_row(u32 first, u32 count) const { return counts ? counts->of_row(first, count) : bytes * count; }
};

/// Such a plan, and its program, of a resolved spec.
template <class Plan>
[[nodiscard]] Plan counted_plan(const CollectiveSpec& spec) {
  Plan plan = collective_plan<Plan>(spec);
  plan.counts = spec.counts;
  plan.sends_empty = spec.empty_messages;
  plan.sends_to_itself = spec.self_messages;
  return plan;
}
template <class Plan>
[[nodiscard]] std::unique_ptr<Program> counted_program(const CollectiveSpec& spec) {
  return planned_program(collective_name(spec), spec.tasks, counted_plan<Plan>(spec));
}

}  // namespace weft::workloads
