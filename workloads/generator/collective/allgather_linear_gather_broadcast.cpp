// Allgather "linear-gather-broadcast": every task sends to task 0 at once, which then broadcasts the whole.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Gather, tag 0: task 0 receives from 1, 2, 3 ... Broadcast of the whole, tag 1: as broadcast "binomial". It fits the
/// published times of Andujar et al., CPE 2018 (docs/extoll.md).
struct AllgatherLinearGatherBroadcast : StarPlan {
  u64 slots(u32 task) const { return StarPlan::slots(task) + tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 meetings = StarPlan::slots(task);
    if (slot < meetings) return up({true, 0, other(task, slot)}, task, bytes);
    return down(doubling_edge(task, static_cast<u32>(slot - meetings), tasks), task, bytes * tasks, 1);
  }
};

const bool allgather_linear_gather_broadcast_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "linear-gather-broadcast",
     .help = "all send to task 0 at once, which broadcasts the whole along a binomial tree; any number of tasks",
     .make = collective_program<AllgatherLinearGatherBroadcast>,
     .longest = [](u32 tasks) { return u64{tasks}; }});

}  // namespace
}  // namespace weft::workloads
