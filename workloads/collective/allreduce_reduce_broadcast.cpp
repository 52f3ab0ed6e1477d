// Allreduce "reduce-broadcast": everything to task 0 along one tree, and back along another.
#include "workloads/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: reduce "binomial"; tag 1: broadcast "binomial". Open MPI's "nonoverlapping".
struct AllreduceReduceBroadcast : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks), round = static_cast<u32>(slot) % levels;
    if (slot < levels) return up(in_order_edge(task, round, tasks), task, bytes);
    return down(doubling_edge(task, round, tasks), task, bytes, 1);
  }
};

const bool allreduce_reduce_broadcast_registered =
    add_collective({.operation = "allreduce",
                    .algorithm = "reduce-broadcast",
                    .help = "reduce binomial, then broadcast binomial (Open MPI: nonoverlapping); any number of tasks",
                    .make = collective_program<AllreduceReduceBroadcast>});

}  // namespace
}  // namespace weft::workloads
