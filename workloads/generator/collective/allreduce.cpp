// The operation allreduce, with its algorithms.
#include "workloads/generator/collective/composite.hpp"
#include "workloads/generator/collective/halving.hpp"

namespace weft::workloads {
namespace {

const bool allreduce_registered =
    OperationRegistry::instance().add("allreduce", {.help = "all get the sum of what all have",
                                                    .before = Pieces::own,
                                                    .after = Pieces::all,
                                                    .adds_up = true,
                                                    .whole = true});

// "reduce-broadcast": in two operations, along trees. Open MPI's "nonoverlapping".
const bool allreduce_reduce_broadcast_registered =
    add_composite({.operation = "allreduce",
                   .algorithm = "reduce-broadcast",
                   .help = "reduce binomial, then broadcast binomial, or as the rules of the library say (Open MPI: "
                           "nonoverlapping); any number of tasks",
                   .parts = {{.operation = "reduce", .algorithm = "binomial", .by_rules = true},
                             {.operation = "broadcast", .algorithm = "binomial", .by_rules = true}}});

// "linear": in two operations, all at once. Open MPI's "basic linear".
const bool allreduce_linear_registered = add_composite(
    {.operation = "allreduce",
     .algorithm = "linear",
     .help = "reduce linear, then broadcast linear (Open MPI: basic linear); any number of tasks",
     .parts = {{.operation = "reduce", .algorithm = "linear"}, {.operation = "broadcast", .algorithm = "linear"}}});

/// "recursive-doubling": pairs exchange the sums that they have, over doubling distances; for short data. Tag 0: the
/// first 2 r tasks fold (folding.hpp); tag 1 + k: numbers that differ in bit k exchange; then the way back. Thakur et
/// al. 2005, section 4.5; MPICH's and Open MPI's "recursive doubling".
struct AllreduceRecursiveDoubling : CollectivePlan {
  u64 slots() const { return 2 + u64{2} * Folding{tasks}.levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Folding among{tasks};
    if (slot == 0) return among.fold(task, bytes, 0);
    if (slot + 1 == slots()) return among.unfold(task, bytes, among.levels() + 1);
    if (!among.works(task)) return {};
    const auto k = static_cast<u32>((slot - 1) / 2);
    const u32 peer = among.task(among.number(task) ^ (u32{1} << k));
    return exchange(slot - 1, peer, bytes, 1 + k);
  }
};

const bool allreduce_recursive_doubling_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "recursive-doubling",
     .help = "step k: exchange all with r xor 2^k; of the first 2 (P - 2^b) tasks, every other one lets its neighbour "
             "work for it (MPICH, Open MPI: recursive doubling); any number of tasks",
     .make = collective_program<AllreduceRecursiveDoubling>,
     .is_default = true,
     .combines = Folding::combines});

/// Both rings: blocks go round once to be added up, and once more as sums. Data is cut into P blocks (even_share), and
/// these into a segment for each phase. Step s of a phase: task r sends its segment of block r - s to r + 1 and adds to
/// that of block r - s - 1 what comes from r - 1. Then whole blocks: in step s, block r + 1 - s. Tags number the steps.
/// Empty messages are not sent.
struct AllreduceRing : CollectivePlan {
  u64 slots() const { return 2 * (phases() + 1) * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 step = slot / 2;
    const u32 from = task_before(task, 1, tasks);
    if (slot % 2 == 0) return send_unless_empty(task_after(task, 1, tasks), sent(task, step).bytes, step);
    return receive_unless_empty(from, sent(from, step).bytes, step);
  }
  /// What a task sends in a step, counted through all phases.
  Extent sent(u32 task, u64 step) const {
    const auto s = static_cast<u32>(step % (tasks - 1));
    const u64 phase = step / (tasks - 1);
    if (phase == phases()) return even_share({0, bytes}, tasks, task_before(task_after(task, 1, tasks), s, tasks));
    return even_share(even_share({0, bytes}, tasks, task_before(task, s, tasks)), phases(), phase);
  }
  /// As many as make segments of segment_bytes on average; Open MPI's rule: what is left is a phase of its own from
  /// half a segment on. One, if blocks are shorter than a segment.
  u64 phases() const {
    if (segment_bytes == 0 || bytes / tasks < segment_bytes) return 1;
    const u64 in_phase = segment_bytes * tasks, left = bytes % in_phase;
    return bytes / in_phase + (left >= tasks && left > in_phase / 2 ? 1 : 0);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return collective_plan<AllreduceRing>(m.spec).sent(m.from, m.op.tag).has(piece.target);
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return receive.tag < collective_plan<AllreduceRing>(spec).phases() * (spec.tasks - 1);
  }
};

// "ring": blocks of the data go round the ring of all tasks twice; for long data. Patarasuk and Yuan, JPDC 69(2), 2009;
// MPICH's and Open MPI's "ring".
const bool allreduce_ring_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "ring",
     .help =
         "P - 1 steps: send a block to r + 1, add what comes from r - 1; P - 1 more with the sums (MPICH, Open MPI: "
         "ring); any number of tasks",
     .make = collective_program<AllreduceRing>,
     .carries = AllreduceRing::carries,
     .combines = AllreduceRing::combines,
     .divides = true});

// "segmented-ring": the ring of sums in phases, a segment of each block at a time. Open MPI's "segmented ring"; 1 MiB
// is the segment that its own rules ask for.
const bool allreduce_segmented_ring_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "segmented-ring",
     .help = "as ring, but sums go round in phases, about workload.segment_bytes of each block at a time (Open MPI: "
             "segmented ring); any number of tasks",
     .make = collective_program<AllreduceRing>,
     .carries = AllreduceRing::carries,
     .combines = AllreduceRing::combines,
     .divides = true,
     .segment_bytes = u64{1} << 20});

/// By halving, as Open MPI and as MPICH do it: a reduce-scatter, then an allgather along the same pairs. Pairs meet;
/// numbers exchange halves (tags 2 + k); then the same steps backwards with the sums, the farthest first (tags 2 +
/// levels + j); then those of the pairs that do not work get the result.
template <bool as_mpich>
struct AllreduceHalving : CollectivePlan {
  Halving halving() const { return {bytes, {tasks, as_mpich}, as_mpich}; }
  u64 slots() const { return Halving::meeting + u64{4} * halving().levels() + 1; }
  Op op(u32 task, u32, u64 slot) const {
    const Halving by = halving();
    const u32 levels = by.levels();
    if (slot < Halving::meeting) return by.meet(task, slot);
    if (slot + 1 == slots()) return by.among.unfold(task, bytes, Halving::first_tag + 2 * levels);
    if (!by.among.works(task)) return {};
    const u64 place = slot - Halving::meeting;
    const auto step = static_cast<u32>(place / 2);
    if (step < levels) return by.split(task, step, place % 2);
    const u32 k = 2 * levels - 1 - step, number = by.among.number(task), other = number ^ (u32{1} << k);
    const u32 peer = by.among.task(other), tag = Halving::first_tag + step;
    if (place % 2 == 0) return send_unless_empty(peer, by.after(number, k + 1).bytes, tag);
    return receive_unless_empty(peer, by.after(other, k + 1).bytes, tag);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return collective_plan<AllreduceHalving>(m.spec).halving().carries(m.from, m.op, piece.target);
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return collective_plan<AllreduceHalving>(spec).halving().combines(receive);
  }
};

// "rabenseifner": a reduce-scatter by halving, then an allgather by doubling; for long data. Thakur, Rabenseifner,
// Gropp 2005, section 4.5; Open MPI's "rabenseifner".
const bool allreduce_rabenseifner_registered =
    add_collective({.operation = "allreduce",
                    .algorithm = "rabenseifner",
                    .help = "step k: exchange halves of what is left with r xor 2^k; then back again with the sums "
                            "(Open MPI: rabenseifner); any number of tasks",
                    .make = collective_program<AllreduceHalving<false>>,
                    .carries = AllreduceHalving<false>::carries,
                    .combines = AllreduceHalving<false>::combines,
                    .divides = true});

// "reduce-scatter-allgather": MPICH's form of Rabenseifner's algorithm.
const bool allreduce_reduce_scatter_allgather_registered =
    add_collective({.operation = "allreduce",
                    .algorithm = "reduce-scatter-allgather",
                    .help = "as rabenseifner, in blocks of m / 2^b, and of a pair one task gives the other all (MPICH: "
                            "reduce-scatter-allgather); any number of tasks",
                    .make = collective_program<AllreduceHalving<true>>,
                    .carries = AllreduceHalving<true>::carries,
                    .combines = AllreduceHalving<true>::combines,
                    .divides = true});

}  // namespace
}  // namespace weft::workloads
