// Allgather "gather-broadcast": everything to task 0, and from there to all.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Gather, tag 0: the in-order binomial tree, each message has the parts of the sender's subtree. Broadcast of the
/// whole, tag 1: as broadcast "binomial". What libraries without an allgather of their own do (Open MPI: basic).
struct AllgatherGatherBroadcast : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot >= levels) {
      return down(doubling_edge(task, static_cast<u32>(slot) - levels, tasks), task, bytes * tasks, 1);
    }
    const auto round = static_cast<u32>(slot);
    const TreeEdge edge = in_order_edge(task, round, tasks);
    if (!edge.exists) return {};
    return up(edge, task, bytes * subtree_tasks(edge, round, tasks));
  }
};

const bool allgather_gather_broadcast_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "gather-broadcast",
     .help = "gather along a binomial tree, then broadcast of the whole (Open MPI: basic); any number of tasks",
     .make = collective_program<AllgatherGatherBroadcast>,
     .longest = [](u32 tasks) { return u64{tasks}; },
     .usual = true});

}  // namespace
}  // namespace weft::workloads
