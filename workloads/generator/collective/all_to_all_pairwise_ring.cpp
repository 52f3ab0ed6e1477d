// All-to-all "pairwise-ring": "pairwise" with the same order for every number of tasks.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Step i: send to r + i, wait for r - i. Open MPI's "pairwise".
struct AllToAllPairwiseRing : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2 + 1);
    if (slot % 2 == 0) return send_op(task_after(task, step, tasks), bytes);
    return receive_op(task_before(task, step, tasks), bytes);
  }
};

const bool all_to_all_pairwise_ring_registered =
    add_collective({.operation = "all-to-all",
                    .algorithm = "pairwise-ring",
                    .help = "step i: send to r + i, receive from r - i (Open MPI: pairwise); any number of tasks",
                    .make = collective_program<AllToAllPairwiseRing>});

}  // namespace
}  // namespace weft::workloads
