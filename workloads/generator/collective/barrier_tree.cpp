// Barrier "tree": up a binomial tree to task 0, and down again.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: round k, p = 2^k, odd multiples of p send to task - p; tag 1: the same backwards. Open MPI's "tree".
struct BarrierTree : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks), place = static_cast<u32>(slot);
    if (place < levels) return up(in_order_edge(task, place, tasks), task, 0);
    return down(in_order_edge(task, 2 * levels - 1 - place, tasks), task, 0, 1);
  }
};

const bool barrier_tree_registered =
    add_collective({.operation = "barrier",
                    .algorithm = "tree",
                    .help = "up a binomial tree to task 0 and back down (Open MPI: tree); any number of tasks",
                    .make = collective_program<BarrierTree>});

}  // namespace
}  // namespace weft::workloads
