// Reduce "linear": every task sends to the root.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// The root receives in order of the tasks. Open MPI's "basic linear".
struct ReduceLinear : StarPlan {
  Op op(u32 task, u32, u64 slot) const { return up({true, 0, other(task, slot)}, task, bytes); }
};

const bool reduce_linear_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "linear",
                    .help = "all tasks send to task 0 at once (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<ReduceLinear>});

}  // namespace
}  // namespace weft::workloads
