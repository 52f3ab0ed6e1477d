// Gather "linear": every task sends to the root.
#include "workloads/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// The root receives in order of the tasks. Open MPI's "basic linear".
struct GatherLinear : CollectivePlan {
  u64 slots() const { return tasks - 1; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 child = static_cast<u32>(slot) + 1;
    return up({task == 0 || task == child, 0, child}, task, bytes);
  }
};

const bool gather_linear_registered =
    add_collective({.operation = "gather",
                    .algorithm = "linear",
                    .help = "all tasks send to task 0 at once (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<GatherLinear>});

}  // namespace
}  // namespace weft::workloads
