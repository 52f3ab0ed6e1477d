// The operation barrier, with its algorithms.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

// What a task has is the news that it has come; who knows it of all may go on.
const bool barrier_registered =
    OperationRegistry::instance().add("barrier", {.help = "none goes on before all have come; its messages are empty",
                                                  .before = Pieces::own,
                                                  .after = Pieces::all,
                                                  .signals = true});

/// "linear": all tell the root, which then tells all. Tag 0: task 0 receives from 1, 2, 3 ...; tag 1: it sends to them
/// in that order. Open MPI's "linear".
struct BarrierLinear : StarPlan {
  u64 slots(u32 task) const { return 2 * StarPlan::slots(task); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 once = StarPlan::slots(task);
    const bool rises = slot < once;
    return rises ? up(edge(task, slot), task, 0) : down(edge(task, slot - once), task, 0, 1);
  }
};

const bool barrier_linear_registered =
    add_collective({.operation = "barrier",
                    .algorithm = "linear",
                    .help = "all send to task 0, which then sends to all (Open MPI: linear); any number of tasks",
                    .make = collective_program<BarrierLinear>});

/// "tree": up a binomial tree to task 0, and down again. Tag 0: round k, p = 2^k, odd multiples of p send to task - p;
/// tag 1: the same backwards. Open MPI's "tree".
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

/// "double-ring": a message goes round the ring of all tasks twice. Twice: task 0 sends to task 1, each task waits for
/// r - 1 before it sends to r + 1, and task 0 waits for the last one; tags number the rounds. Open MPI's "double ring".
struct BarrierDoubleRing : CollectivePlan {
  u64 slots() const { return tasks > 1 ? 4 : 0; }
  Op op(u32 task, u32, u64 slot) const {
    return shift(task == 0 ? slot : slot + 1, task, 1, 0, slot / 2);  // all but task 0 receive first
  }
};

const bool barrier_double_ring_registered = add_collective(
    {.operation = "barrier",
     .algorithm = "double-ring",
     .help = "twice round the ring: wait for r - 1, send to r + 1 (Open MPI: double ring); any number of tasks",
     .make = collective_program<BarrierDoubleRing>});

/// "dissemination": in each round every task tells one that is twice as far away what it knows. Round k: send to r +
/// 2^k, receive from r - 2^k; tag k. Hensgen, Finkel, Manber, IJPP 17(1), 1988; MPICH's "dissemination", Open MPI's
/// "bruck".
struct BarrierDissemination : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto k = static_cast<u32>(slot / 2);
    return shift(slot, task, u32{1} << k, 0, k);
  }
};

const bool barrier_dissemination_registered = add_collective(
    {.operation = "barrier",
     .algorithm = "dissemination",
     .help = "round k: send to r + 2^k, wait for r - 2^k (MPICH: dissemination, Open MPI: bruck); any number of tasks",
     .make = collective_program<BarrierDissemination>,
     .is_default = true});

/// "recursive-doubling": pairs wait for each other, over doubling distances. C is the largest power of two of the
/// tasks. Tag 0: tasks from C on tell task - C that they have come; tag 1 + k: r < C and r xor 2^k tell each other;
/// last tag: tasks from C on are let go. Open MPI's "recursive doubling".
struct BarrierRecursiveDoubling : CollectivePlan {
  u32 core() const { return std::bit_floor(tasks); }
  u32 levels() const { return static_cast<u32>(std::countr_zero(core())); }
  u64 slots() const { return 2 + u64{2} * levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 child = task < core() ? task + core() : task;
    const TreeEdge edge{child < tasks, child - core(), child};
    if (slot == 0) return up(edge, task, 0);
    if (slot + 1 == slots()) return down(edge, task, 0, levels() + 1);
    if (task >= core()) return {};
    const auto k = static_cast<u32>((slot - 1) / 2);
    return exchange(slot - 1, task ^ (u32{1} << k), 0, 1 + k);
  }
};

const bool barrier_recursive_doubling_registered = add_collective(
    {.operation = "barrier",
     .algorithm = "recursive-doubling",
     .help =
         "step k: exchange with r xor 2^k; tasks beyond a power of two before and after that with r - 2^b (Open MPI: "
         "recursive doubling); any number of tasks",
     .make = collective_program<BarrierRecursiveDoubling>});

}  // namespace
}  // namespace weft::workloads
