// Broadcast "k-nomial": the tasks that have the data become k times as many in each round.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// p = k^j from the largest down: multiples of k p, which have the data by then, send to task + p, task + 2p ... task +
/// (k - 1) p. With k = 2 it is "binomial-halving". Open MPI's "knomial", whose own radix is 4; MPICH's "knomial" trees.
struct BroadcastKNomial : CollectivePlan {
  u32 levels() const {
    u32 count = 0;
    for (u64 reached = 1; reached < tasks; reached *= radix) ++count;
    return count;
  }
  u64 slots() const { return u64{levels()} * radix; }
  Op op(u32 task, u32, u64 slot) const {
    const u64 round = levels() - 1 - slot / radix, digit = slot % radix;
    u64 p = 1;
    for (u64 j = 0; j < round; ++j) p *= radix;
    if (task % p != 0) return {};
    const u64 own = task / p % radix;
    // The first of the radix slots of a round is for the receive.
    if (digit == 0) return own > 0 ? receive_op(static_cast<u32>(task - own * p), bytes) : Op{};
    return own == 0 && digit * p < tasks - task ? send_op(static_cast<u32>(task + digit * p), bytes) : Op{};
  }
};

const bool broadcast_k_nomial_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "k-nomial",
     .help = "as binomial-halving with workload.radix - 1 messages of each sender in a round (Open MPI: knomial); any "
             "number of tasks",
     .make = collective_program<BroadcastKNomial>,
     .radix = 4});

}  // namespace
}  // namespace weft::workloads
