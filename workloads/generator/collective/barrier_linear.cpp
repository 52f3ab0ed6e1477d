// Barrier "linear": all tell the root, which then tells all.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: task 0 receives from 1, 2, 3 ...; tag 1: it sends to them in that order. Open MPI's "linear".
struct BarrierLinear : StarPlan {
  u64 slots(u32 task) const { return 2 * StarPlan::slots(task); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 once = StarPlan::slots(task);
    const bool rises = slot < once;
    const TreeEdge edge{true, 0, other(task, rises ? slot : slot - once)};
    return rises ? up(edge, task, 0) : down(edge, task, 0, 1);
  }
};

const bool barrier_linear_registered =
    add_collective({.operation = "barrier",
                    .algorithm = "linear",
                    .help = "all send to task 0, which then sends to all (Open MPI: linear); any number of tasks",
                    .make = collective_program<BarrierLinear>});

}  // namespace
}  // namespace weft::workloads
