// Broadcast "scatter-allgather": a piece to each task, then all pieces round the ring; for long messages.
#include "workloads/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// The data is cut into pieces of ceil(bytes / tasks) bytes, the last ones shorter or empty; empty ones are not sent.
/// Scatter, tag 0: the in-order binomial tree from its root, each child gets the pieces of its subtree. Allgather, tag
/// 1: in step s, task r sends piece r - s to r + 1. MPICH's "scatter ring allgather", after van de Geijn.
struct BroadcastScatterAllgather : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks) + u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot < levels) {
      const u32 round = levels - 1 - static_cast<u32>(slot);
      const TreeEdge edge = in_order_edge(task, round, tasks);
      if (!edge.exists) return {};
      const u64 length = pieces_bytes(edge.child, subtree_tasks(edge, round, tasks));
      return length > 0 ? down(edge, task, length) : Op{};
    }
    const auto step = static_cast<u32>((slot - levels) / 2);
    const bool sends = (slot - levels) % 2 == 0;
    const u64 length = pieces_bytes(task_before(task, sends ? step : step + 1, tasks), 1);
    if (length == 0) return {};
    return sends ? send_op(task_after(task, 1, tasks), length, 1) : receive_op(task_before(task, 1, tasks), length, 1);
  }
  u64 piece() const { return bytes / tasks + (bytes % tasks != 0 ? 1 : 0); }
  /// Bytes of `count` pieces from number `first` on.
  u64 pieces_bytes(u64 first, u64 count) const {
    const u64 from = std::min(bytes, first * piece()), to = std::min(bytes, (first + count) * piece());
    return to - from;
  }
  /// The step of the ring in which a task sends for the nth time, from 0.
  u32 step_of(u32 task, u32 nth) const {
    u32 step = 0;
    while (pieces_bytes(task_before(task, step, tasks), 1) == 0 || nth-- > 0) ++step;
    return step;
  }
};

/// Scatter: the pieces of the receiver's subtree; allgather: all that the sender got before it sent as many, in turn.
bool scatter_allgather_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto plan = collective_plan<BroadcastScatterAllgather>(m.spec);
  const u64 number = piece.target / plan.piece();
  if (m.op.tag == 0) return Extent{m.op.peer * plan.piece(), m.op.amount}.has(piece.target);
  return number == task_before(m.from, plan.step_of(m.from, m.nth), m.spec.tasks);
}

const bool broadcast_scatter_allgather_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "scatter-allgather",
     .help = "pieces down a binomial tree, then round a ring (MPICH: scatter ring allgather); any number of tasks",
     .make = collective_program<BroadcastScatterAllgather>,
     .carries = scatter_allgather_carries,
     .divides = true});

}  // namespace
}  // namespace weft::workloads
