// Broadcast "binomial-halving": along a binomial tree whose subtrees are tasks in a row, the farthest first.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// p = 2^k from the largest down: multiples of 2p, which have the data by then, send to task + p. MPICH's broadcast
/// "binomial"; the kernel inverse-binary-tree for any number of tasks.
struct BroadcastBinomialHalving : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 round = static_cast<u32>(slots() - 1 - slot);
    return down(in_order_edge(task, round, tasks), task, bytes);
  }
};

const bool broadcast_binomial_halving_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "binomial-halving",
     .help = "task r sends to r + 2^k for 2^k below its lowest bit, the largest first (MPICH: binomial); any number of "
             "tasks",
     .make = collective_program<BroadcastBinomialHalving>});

}  // namespace
}  // namespace weft::workloads
