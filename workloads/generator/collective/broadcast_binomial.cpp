// Broadcast "binomial": the tasks that have the data double in each round, the nearest first.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Round k: task r with r < 2^k sends to r + 2^k. Open MPI's broadcast "binomial".
struct BroadcastBinomial : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const { return down(doubling_edge(task, static_cast<u32>(slot), tasks), task, bytes); }
};

const bool broadcast_binomial_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "binomial",
     .help = "task r sends to r + 2^k for 2^k > r, in order of k (Open MPI: binomial); any number of tasks",
     .make = collective_program<BroadcastBinomial>,
     .usual = true});

}  // namespace
}  // namespace weft::workloads
