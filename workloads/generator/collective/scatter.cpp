// The operation scatter, with its algorithms.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool scatter_registered =
    OperationRegistry::instance().add("scatter", {.help = "each gets the piece that task 0 has for it",
                                                  .before = Pieces::root_has_its_own,
                                                  .after = Pieces::from_root,
                                                  .to_each = true});

// "linear": the root sends to one task after the other.
const bool scatter_linear_registered =
    add_collective({.operation = "scatter",
                    .algorithm = "linear",
                    .help = "task 0 sends to 1, 2, 3 ... (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<StarDown>});

/// "binomial": what goes to a subtree goes to its root in one message. p = 2^k from the largest down: multiples of 2p
/// send to task + p the pieces of its subtree. MPICH's and Open MPI's "binomial".
struct ScatterBinomial : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 round = static_cast<u32>(slots() - 1 - slot);
    const TreeEdge edge = in_order_edge(task, round, tasks);
    return edge.exists ? down(edge, task, bytes * subtree_tasks(edge, round, tasks)) : Op{};
  }
  /// The pieces of the receiver's subtree: it and the tasks behind it.
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return Extent{m.op.peer, m.op.amount / m.spec.message_bytes}.has(piece.target);
  }
};

const bool scatter_binomial_registered =
    add_collective({.operation = "scatter",
                    .algorithm = "binomial",
                    .help = "task r sends to r + 2^k for 2^k below its lowest bit, the largest first, the pieces of a "
                            "subtree (MPICH, Open MPI: binomial); any number of tasks",
                    .make = collective_program<ScatterBinomial>,
                    .longest = largest_subtree,
                    .is_default = true,
                    .carries = ScatterBinomial::carries});

}  // namespace
}  // namespace weft::workloads
