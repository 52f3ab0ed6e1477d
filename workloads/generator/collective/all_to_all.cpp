// The operation all-to-all, with its algorithms.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool all_to_all_registered =
    OperationRegistry::instance().add("all-to-all", {.help = "each task has a piece of its own for each other",
                                                     .before = Pieces::own,
                                                     .after = Pieces::for_itself,
                                                     .to_each = true});

/// "linear": every task sends all it has, each beginning at its neighbour, then waits for all. Task r sends to r + 1, r
/// + 2 ... without waiting, so that at first all destinations differ; then it waits for r - 1, r - 2 ... Open MPI's
/// "linear", MPICH's "scattered"; the kernel distribution.
struct AllToAllLinear : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 others = tasks - 1;
    if (slot < others) return send_op(task_after(task, static_cast<u32>(slot + 1), tasks), bytes);
    return receive_op(task_before(task, static_cast<u32>(slot - others + 1), tasks), bytes);
  }
};

const bool all_to_all_linear_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "linear",
     .help = "send to r + 1, r + 2 ... without waiting, then receive from all (Open MPI: linear, MPICH: scattered); "
             "any number of tasks",
     .make = collective_program<AllToAllLinear>,
     .is_default = true});

/// "rank-order": like "linear", but all begin at task 0, which is what to avoid. Every task sends to 0, 1, 2 ...
/// without waiting, so that all send to the same; then it waits for 0, 1, 2 ...
struct AllToAllRankOrder : CollectivePlan {
  u64 slots() const { return u64{2} * tasks; }
  Op op(u32 task, u32, u64 slot) const {
    const auto peer = static_cast<u32>(slot % tasks);
    if (peer == task) return {};
    return slot < tasks ? send_op(peer, bytes) : receive_op(peer, bytes);
  }
};

const bool all_to_all_rank_order_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "rank-order",
     .help = "send to 0, 1, 2 ... without waiting, then receive from all: all senders at the same task; any number of "
             "tasks",
     .make = collective_program<AllToAllRankOrder>});

/// "exclusive-or": the partners of "pairwise" in the same order, but without waiting for each other. Every task sends
/// to r xor 1, r xor 2 ... without waiting; then it waits for all in that order.
struct AllToAllExclusiveOr : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 others = tasks - 1;
    if (slot < others) return send_op(task ^ static_cast<u32>(slot + 1), bytes);
    return receive_op(task ^ static_cast<u32>(slot - others + 1), bytes);
  }
};

const bool all_to_all_exclusive_or_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "exclusive-or",
     .help = "send to r xor 1, r xor 2 ... without waiting, then receive from all; tasks: a power of two",
     .make = [](const CollectiveSpec& spec) {
       check_power_of_two(spec, "linear");
       return collective_program<AllToAllExclusiveOr>(spec);
     }});

/// "pairwise-ring": "pairwise" with the same order for every number of tasks. Step i: send to r + i, wait for r - i.
/// Open MPI's "pairwise".
struct AllToAllPairwiseRing : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const { return shift(slot, task, static_cast<u32>(slot / 2 + 1), bytes); }
};

const bool all_to_all_pairwise_ring_registered =
    add_collective({.operation = "all-to-all",
                    .algorithm = "pairwise-ring",
                    .help = "step i: send to r + i, receive from r - i (Open MPI: pairwise); any number of tasks",
                    .make = collective_program<AllToAllPairwiseRing>});

/// "pairwise": in each step every task sends one message and waits for one. Step i: a power of two of tasks exchanges
/// with r xor i; others send to r + i and wait for r - i. MPICH's "pairwise exchange"; Open MPI's takes r + i and r - i
/// always.
struct AllToAllPairwise : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2 + 1);
    return std::has_single_bit(tasks) ? exchange(slot, task ^ step, bytes) : shift(slot, task, step, bytes);
  }
};

const bool all_to_all_pairwise_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "pairwise",
     .help = "step i: exchange with r xor i, or r + i and r - i if P is no power of two (MPICH: pairwise); any number "
             "of tasks",
     .make = collective_program<AllToAllPairwise>});

/// "bruck": few long messages in place of many short ones, through other tasks. Steps (k, d), d = 1 to radix - 1:
/// everything whose path is j = destination - origin (mod tasks) with digit d in place k of j, in base radix, moves on
/// by d radix^k tasks, in one message; tags number the steps. Bruck et al., IEEE TPDS 8(11), 1997; MPICH's and Open
/// MPI's "Bruck" with radix 2.
struct AllToAllBruck : CollectivePlan {
  struct Step {
    u64 place = 1, digit = 1;  ///< radix^k, d
  };
  u64 slots() const { return u64{2} * tree_rounds(tasks, radix) * (radix - 1); }
  Step step(u64 number) const {
    Step step{1, number % (radix - 1) + 1};
    for (u64 k = number / (radix - 1); k > 0; --k) step.place *= radix;
    return step;
  }
  /// Paths below `tasks` with that digit there.
  u64 ways(const Step& step) const {
    const u64 cycle = step.place * radix, from = step.place * step.digit, rest = tasks % cycle;
    return tasks / cycle * step.place + (rest > from ? std::min(rest - from, step.place) : 0);
  }
  Op op(u32 task, u32, u64 slot) const {
    const Step at = step(slot / 2);
    const u64 length = bytes * ways(at);
    return length > 0 ? shift(slot, task, static_cast<u32>(at.place * at.digit), length, slot / 2) : Op{};
  }
  /// What has gone as far as the lower digits of its distance say, and has this digit to go.
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const Step at = collective_plan<AllToAllBruck>(m.spec).step(m.op.tag);
    const u32 distance = task_before(piece.target, piece.origin, m.spec.tasks);
    const u32 gone = task_before(m.from, piece.origin, m.spec.tasks);
    return distance / at.place % m.spec.radix == at.digit && gone == distance % at.place;
  }
};

const bool all_to_all_bruck_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "bruck",
     .help = "step (k, d): send all whose path has digit d in place k, base workload.radix, to r + d radix^k (MPICH, "
             "Open MPI: Bruck); any number of tasks",
     .make = collective_program<AllToAllBruck>,
     .longest = [](u32 tasks) { return u64{tasks / 2}; },
     .carries = AllToAllBruck::carries,
     .radix = 2});

}  // namespace
}  // namespace weft::workloads
