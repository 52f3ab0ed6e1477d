// The operation gather, with its algorithms.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool gather_registered = OperationRegistry::instance().add(
    "gather", {.help = "task 0 gets what each has", .before = Pieces::own, .after = Pieces::root_has_all});

// "linear": every task sends to the root, which receives in order of the tasks.
const bool gather_linear_registered =
    add_collective({.operation = "gather",
                    .algorithm = "linear",
                    .help = "all tasks send to task 0 at once (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<StarUp>});

/// "linear-sync": every task sends to the root when the root tells it to. Tag 0: the root tells 1, 2, 3 ... that it may
/// send, by an empty message, and waits for the first segment_bytes of its data (tag 1); what is left follows at once
/// (tag 2), if it is nothing as an empty message. Open MPI's "linear with synchronisation".
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
  /// The piece is there with its last part.
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const bool in_two = m.spec.message_bytes > m.spec.segment_bytes;
    return m.op.tag == (in_two ? 2 : 1) && piece.origin == m.from;
  }
};

const bool gather_linear_sync_registered = add_collective(
    {.operation = "gather",
     .algorithm = "linear-sync",
     .help = "task 0 tells 1, 2, 3 ... to send, and waits for the first workload.segment_bytes of each (Open MPI: "
             "linear with synchronisation); any number of tasks",
     .make = collective_program<GatherLinearSync>,
     .carries = GatherLinearSync::carries,
     .divides = true,
     .empties = true,
     .segment_bytes = 1024});

/// "binomial": data meets along a binomial tree and ends at task 0. Round k, p = 2^k: odd multiples of p send what
/// their subtree has to task - p. MPICH's and Open MPI's "binomial".
struct GatherBinomial : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto round = static_cast<u32>(slot);
    const TreeEdge edge = in_order_edge(task, round, tasks);
    return edge.exists ? up(edge, task, bytes * subtree_tasks(edge, round, tasks)) : Op{};
  }
};

const bool gather_binomial_registered =
    add_collective({.operation = "gather",
                    .algorithm = "binomial",
                    .help = "in round k, task r with bit k set and none below sends what its subtree has to r - 2^k "
                            "(MPICH, Open MPI: binomial); any number of tasks",
                    .make = collective_program<GatherBinomial>,
                    .longest = largest_subtree,
                    .is_default = true});

}  // namespace
}  // namespace weft::workloads
