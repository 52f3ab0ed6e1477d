// The operations gatherv and scatterv: gather and scatter of pieces that differ; one algorithm each, as in libraries.
#include "workloads/generator/collective/counted_plan.hpp"

namespace weft::workloads {
namespace {

const bool gatherv_registered =
    OperationRegistry::instance().add("gatherv", {.help = "task 0 gets what each has, pieces of different length",
                                                  .before = Pieces::own,
                                                  .after = Pieces::root_has_all,
                                                  .counts = CollectiveOperation::Counts::by_origin});

const bool scatterv_registered = OperationRegistry::instance().add(
    "scatterv", {.help = "each gets the piece that task 0 has for it, pieces of different length",
                 .before = Pieces::root_has_its_own,
                 .after = Pieces::from_root,
                 .to_each = true,
                 .counts = CollectiveOperation::Counts::by_target});

/// Up or down: all others and task 0, in order. Open MPI's and MPICH's "linear".
template <bool gathers>
struct LinearOfCounts : CountedPlan {
  u64 slots(u32 task) const { return task == 0 ? tasks - 1 : 1; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 child = StarPlan::other(task, slot);
    const u64 length = of(child);
    if (length == 0) return {};
    const TreeEdge edge{true, 0, child};
    return gathers ? up(edge, task, length) : down(edge, task, length);
  }
};

const bool gatherv_linear_registered =
    add_collective({.operation = "gatherv",
                    .algorithm = "linear",
                    .help = "all tasks send to task 0 at once (MPICH, Open MPI: linear); any number of tasks",
                    .make = counted_program<LinearOfCounts<true>>,
                    .is_default = true});

const bool scatterv_linear_registered =
    add_collective({.operation = "scatterv",
                    .algorithm = "linear",
                    .help = "task 0 sends to 1, 2, 3 ... (MPICH, Open MPI: linear); any number of tasks",
                    .make = counted_program<LinearOfCounts<false>>,
                    .is_default = true});

}  // namespace
}  // namespace weft::workloads
