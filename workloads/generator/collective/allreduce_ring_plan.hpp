// Both rings of allreduce: blocks go round once to be added up, and once more as sums.
#pragma once

#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {

/// Data is cut into P blocks (even_share), and these into a segment for each phase. Step s of a phase: task r sends its
/// segment of block r - s to r + 1 and adds to that of block r - s - 1 what comes from r - 1. Then whole blocks: in
/// step s, block r + 1 - s. Tags number the steps. Empty messages are not sent.
struct AllreduceRing : CollectivePlan {
  u64 slots() const { return 2 * (phases() + 1) * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 step = slot / 2;
    const u32 from = task_before(task, 1, tasks);
    if (slot % 2 == 0) return send_unless_empty(task_after(task, 1, tasks), sent(task, step).bytes, step);
    return receive_unless_empty(from, sent(from, step).bytes, step);
  }
  /// What a task sends in a step, counted through all phases.
  Extent sent(u32 task, u64 step) const {
    const auto s = static_cast<u32>(step % (tasks - 1));
    const u64 phase = step / (tasks - 1);
    if (phase == phases()) return even_share({0, bytes}, tasks, task_before(task_after(task, 1, tasks), s, tasks));
    return even_share(even_share({0, bytes}, tasks, task_before(task, s, tasks)), phases(), phase);
  }
  /// As many as make segments of segment_bytes on average; Open MPI's rule: what is left is a phase of its own from
  /// half a segment on. One, if blocks are shorter than a segment.
  u64 phases() const {
    if (segment_bytes == 0 || bytes / tasks < segment_bytes) return 1;
    const u64 in_phase = segment_bytes * tasks, left = bytes % in_phase;
    return bytes / in_phase + (left >= tasks && left > in_phase / 2 ? 1 : 0);
  }
};

[[nodiscard]] inline bool allreduce_ring_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  return collective_plan<AllreduceRing>(m.spec).sent(m.from, m.op.tag).has(piece.target);
}

[[nodiscard]] inline bool allreduce_ring_combines(const CollectiveSpec& spec, const Op& receive) {
  return receive.tag < collective_plan<AllreduceRing>(spec).phases() * (spec.tasks - 1);
}

}  // namespace weft::workloads
