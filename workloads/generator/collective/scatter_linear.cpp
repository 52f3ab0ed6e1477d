// Scatter "linear": the root sends to one task after the other.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Open MPI's "basic linear".
struct ScatterLinear : StarPlan {
  Op op(u32 task, u32, u64 slot) const { return down({true, 0, other(task, slot)}, task, bytes); }
};

const bool scatter_linear_registered =
    add_collective({.operation = "scatter",
                    .algorithm = "linear",
                    .help = "task 0 sends to 1, 2, 3 ... (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<ScatterLinear>});

}  // namespace
}  // namespace weft::workloads
