// Gather "linear-sync": every task sends to the root when the root tells it to.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: the root tells 1, 2, 3 ... that it may send, by an empty message, and waits for the first segment_bytes of
/// its data (tag 1); what is left follows at once (tag 2), if it is nothing as an empty message. Open MPI's "linear
/// with synchronisation".
struct GatherLinearSync : StarPlan {
  u64 slots(u32 task) const { return 3 * StarPlan::slots(task); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 paired = 2 * StarPlan::slots(task);
    const u32 child = other(task, slot < paired ? slot / 2 : slot - paired);
    const bool root = task == 0;
    const u64 first = std::min(bytes, segment_bytes);
    if (slot >= paired) return root ? receive_op(child, bytes - first, 2) : send_op(0, bytes - first, 2);
    if (slot % 2 == 0) return root ? send_op(child, 0, 0) : receive_op(0, 0, 0);
    return root ? receive_op(child, first, 1) : send_op(0, first, 1);
  }
};

/// The piece is there with its last part.
bool linear_sync_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const bool in_two = m.spec.message_bytes > m.spec.segment_bytes;
  return m.op.tag == (in_two ? 2 : 1) && piece.origin == m.from;
}

const bool gather_linear_sync_registered = add_collective(
    {.operation = "gather",
     .algorithm = "linear-sync",
     .help = "task 0 tells 1, 2, 3 ... to send, and waits for the first workload.segment_bytes of each (Open MPI: "
             "linear with synchronisation); any number of tasks",
     .make = collective_program<GatherLinearSync>,
     .carries = linear_sync_carries,
     .divides = true,
     .empties = true,
     .segment_bytes = 1024});

}  // namespace
}  // namespace weft::workloads
