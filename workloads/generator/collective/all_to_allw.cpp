// The operation all-to-allw: all-to-all of pieces that differ in type, so in length, with the algorithms of libraries.
#include "workloads/generator/collective/all_to_all_scattered.hpp"

namespace weft::workloads {
namespace {

const bool all_to_allw_registered = OperationRegistry::instance().add(
    "all-to-allw", {.help = "each task has a piece of its own for each other, pieces of different type and length",
                    .before = Pieces::own,
                    .after = Pieces::for_itself,
                    .to_each = true,
                    .counts = CollectiveOperation::Counts::by_pair});

/// All sends in the order of ranks, then all receives. Open MPI's "basic linear".
struct AllToAllwRankOrder : ExchangePlan {
  u64 slots() const { return u64{2} * tasks; }
  Op op(u32 task, u32, u64 slot) const { return with(task, static_cast<u32>(slot % tasks), slot < tasks); }
};

/// Step j: exchange with task j. MPICH's "pairwise sendrecv_replace", in which what is received takes the place of what
/// was sent.
struct AllToAllwInPlace : ExchangePlan {
  u64 slots() const { return u64{2} * tasks; }
  Op op(u32 task, u32, u64 slot) const { return with(task, static_cast<u32>(slot / 2), slot % 2 == 0); }
};

const bool all_to_allw_rank_order_registered =
    add_collective({.operation = "all-to-allw",
                    .algorithm = "rank-order",
                    .help = "send to 0, 1, 2 ... without waiting, then receive from 0, 1, 2 ... (Open MPI: basic "
                            "linear); any number of tasks",
                    .make = counted_program<AllToAllwRankOrder>});

const bool all_to_allw_scattered_registered =
    add_collective({.operation = "all-to-allw",
                    .algorithm = "scattered",
                    .help = "send to r - 1, r - 2 ... and receive from r + 1, r + 2 ..., 32 at a time (MPICH: "
                            "scattered); any number of tasks",
                    .make = counted_program<ScatteredExchange>,
                    .is_default = true,
                    .sends_to_itself = true});

const bool all_to_allw_in_place_registered =
    add_collective({.operation = "all-to-allw",
                    .algorithm = "pairwise-in-place",
                    .help = "exchange with 0, 1, 2 ... one after the other (MPICH: pairwise sendrecv_replace, for "
                            "MPI_IN_PLACE); any number of tasks",
                    .make = counted_program<AllToAllwInPlace>});

}  // namespace
}  // namespace weft::workloads
