// Reduce-scatter "ring": every piece goes once round the ring, is added up on the way and ends where it belongs.
#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/collective/reduce_scatter_forms.hpp"

namespace weft::workloads {
namespace {

/// Step s: task r sends piece r - 1 - s to r + 1 and adds its own to piece r - 2 - s from r - 1; tag s. Open MPI's
/// "ring".
struct ReduceScatterRing : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    if (slot % 2 == 0) return send_op(task_after(task, 1, tasks), bytes, step);
    return receive_op(task_before(task, 1, tasks), bytes, step);
  }
};

bool reduce_scatter_ring_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  return piece.target == task_before(m.from, m.op.tag + 1, m.spec.tasks);
}

const bool reduce_scatter_ring_registered = add_reduce_scatter(
    {.algorithm = "ring",
     .help =
         "P - 1 steps: send a piece to r + 1, add to the next what comes from r - 1 (Open MPI: ring); any number of "
         "tasks",
     .make = collective_program<ReduceScatterRing>,
     .carries = reduce_scatter_ring_carries});

}  // namespace
}  // namespace weft::workloads
