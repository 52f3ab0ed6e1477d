// The operation all-to-allv: all-to-all of pieces that differ, with its algorithms.
#include "workloads/generator/collective/all_to_all_scattered.hpp"

namespace weft::workloads {
namespace {

const bool all_to_allv_registered = OperationRegistry::instance().add(
    "all-to-allv", {.help = "each task has a piece of its own for each other, pieces of different length",
                    .before = Pieces::own,
                    .after = Pieces::for_itself,
                    .to_each = true,
                    .counts = CollectiveOperation::Counts::by_pair});

/// The messages of all-to-all "linear": first all are sent. Open MPI's "linear".
struct AllToAllvLinear : ExchangePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const bool sends = slot < tasks - 1;
    const u32 step = static_cast<u32>(slot % (tasks - 1)) + 1;
    return with(task, sends ? task_after(task, step, tasks) : task_before(task, step, tasks), sends);
  }
};

/// Step i: send to r + i, wait for r - i. Open MPI's "pairwise".
struct AllToAllvPairwiseRing : ExchangePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 step = static_cast<u32>(slot / 2) + 1;
    const bool sends = slot % 2 == 0;
    return with(task, sends ? task_after(task, step, tasks) : task_before(task, step, tasks), sends);
  }
};

/// Pairwise like the ring, but a power of two of tasks exchanges with r xor i. MPICH's "pairwise exchange".
struct AllToAllvPairwise : AllToAllvPairwiseRing {
  Op op(u32 task, u32 repetition, u64 slot) const {
    if (!std::has_single_bit(tasks)) return AllToAllvPairwiseRing::op(task, repetition, slot);
    return with(task, task ^ static_cast<u32>(slot / 2 + 1), slot % 2 == 0);
  }
};

const bool all_to_allv_linear_registered = add_collective(
    {.operation = "all-to-allv",
     .algorithm = "linear",
     .help = "send to r + 1, r + 2 ... without waiting, then receive from all (Open MPI: linear); any number of tasks",
     .make = counted_program<AllToAllvLinear>,
     .is_default = true,
     .sends_empty = true});

const bool all_to_allv_scattered_registered =
    add_collective({.operation = "all-to-allv",
                    .algorithm = "scattered",
                    .help = "send to r - 1, r - 2 ... and receive from r + 1, r + 2 ..., 32 at a time (MPICH: "
                            "scattered); any number of tasks",
                    .make = counted_program<ScatteredExchange>,
                    .sends_to_itself = true});

const bool all_to_allv_pairwise_ring_registered =
    add_collective({.operation = "all-to-allv",
                    .algorithm = "pairwise-ring",
                    .help = "step i: send to r + i, receive from r - i (Open MPI: pairwise); any number of tasks",
                    .make = counted_program<AllToAllvPairwiseRing>,
                    .sends_empty = true});

const bool all_to_allv_pairwise_registered =
    add_collective({.operation = "all-to-allv",
                    .algorithm = "pairwise",
                    .help = "step i: exchange with r xor i, or r + i and r - i if P is no power of two; any number of "
                            "tasks",
                    .make = counted_program<AllToAllvPairwise>,
                    .sends_empty = true});

}  // namespace
}  // namespace weft::workloads
