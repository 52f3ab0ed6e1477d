// Broadcast "scatter-allgather": a piece to each task, then all pieces round the ring; for long messages.
#include "workloads/generator/collective/broadcast_scatter_plan.hpp"

namespace weft::workloads {
namespace {

/// Allgather, tag 1: in step s, task r sends piece r - s to r + 1. MPICH's "scatter ring allgather", after van de
/// Geijn.
struct BroadcastScatterAllgather : ScatteredBroadcast {
  u64 slots() const { return tree_rounds(tasks) + u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot < levels) return scatter(task, static_cast<u32>(slot));
    const auto step = static_cast<u32>((slot - levels) / 2);
    const bool sends = (slot - levels) % 2 == 0;
    const u64 length = pieces(task_before(task, sends ? step : step + 1, tasks), 1).bytes;
    if (length == 0) return {};
    return sends ? send_op(task_after(task, 1, tasks), length, 1) : receive_op(task_before(task, 1, tasks), length, 1);
  }
  /// The step of the ring in which a task sends for the nth time, from 0.
  u32 step_of(u32 task, u32 nth) const {
    u32 step = 0;
    while (pieces(task_before(task, step, tasks), 1).bytes == 0 || nth-- > 0) ++step;
    return step;
  }
};

/// Scatter: the pieces of the receiver's subtree; allgather: all that the sender got before it sent as many, in turn.
bool scatter_allgather_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto plan = collective_plan<BroadcastScatterAllgather>(m.spec);
  if (m.op.tag == 0) return ScatteredBroadcast::scatter_carries(plan, m.op, piece.target);
  const u64 number = piece.target / plan.piece();
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
