// Gather "binomial": data meets along a binomial tree and ends at task 0.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Round k, p = 2^k: odd multiples of p send what their subtree has to task - p. MPICH's and Open MPI's "binomial".
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
                    .usual = true});

}  // namespace
}  // namespace weft::workloads
