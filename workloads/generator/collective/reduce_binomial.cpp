// Reduce "binomial": partial results meet along a binomial tree and end at task 0.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Round k, p = 2^k: odd multiples of p send to task - p and are done. MPICH's reduce "binomial", Open MPI's "in-order
/// binomial"; the kernel binary-tree for any number of tasks. Combining takes no time.
struct ReduceBinomial : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const { return up(in_order_edge(task, static_cast<u32>(slot), tasks), task, bytes); }
};

const bool reduce_binomial_registered = add_collective(
    {.operation = "reduce",
     .algorithm = "binomial",
     .help = "in round k, task r with bit k set and none below sends to r - 2^k (MPICH: binomial); any number of tasks",
     .make = collective_program<ReduceBinomial>,
     .usual = true});

}  // namespace
}  // namespace weft::workloads
