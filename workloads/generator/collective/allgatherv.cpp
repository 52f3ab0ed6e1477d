// The operation allgatherv: allgather of pieces that differ, with its algorithms.
#include "workloads/generator/collective/composite.hpp"
#include "workloads/generator/collective/counted_plan.hpp"

namespace weft::workloads {
namespace {

const bool allgatherv_registered =
    OperationRegistry::instance().add("allgatherv", {.help = "all get what each has, pieces of different length",
                                                     .before = Pieces::own,
                                                     .after = Pieces::all,
                                                     .counts = CollectiveOperation::Counts::by_origin});

// "gather-broadcast": all pieces to task 0, and from there to all.
const bool allgatherv_gather_broadcast_registered = add_composite(
    {.operation = "allgatherv",
     .algorithm = "gather-broadcast",
     .help = "gatherv linear, then broadcast binomial of the whole, or what a library chooses for it (Open MPI: "
             "default); any number of tasks",
     .longest = [](u32 tasks) { return u64{tasks}; },
     .parts = {{.operation = "gatherv", .algorithm = "linear"},
               {.operation = "broadcast", .algorithm = "binomial", .by_rules = true, .bytes = bytes_of_all}}});

/// Pieces of tasks in a row that a task sends in a step, to whom, and from whom it receives.
struct RowStep {
  u32 first = 0, count = 0, to = 0, from = 0;
};

/// `Steps` has steps(tasks) and step(task, number, tasks); tags number the steps.
template <class Steps>
struct AllgathervRows : CountedPlan {
  u64 slots() const { return u64{2} * Steps::steps(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto number = static_cast<u32>(slot / 2);
    const RowStep own = Steps::step(task, number, tasks);
    if (slot % 2 == 0) return send_piece(own.to, of_row(own.first, own.count), number);
    const RowStep other = Steps::step(own.from, number, tasks);
    return receive_piece(own.from, of_row(other.first, other.count), number);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const RowStep own = Steps::step(m.from, m.op.tag, m.spec.tasks);
    return task_before(piece.origin, own.first, m.spec.tasks) < own.count;
  }
};

/// "ring".
struct RingRows {
  static u32 steps(u32 tasks) { return tasks - 1; }
  static RowStep step(u32 task, u32 number, u32 tasks) {
    return {task_before(task, number, tasks), 1, task_after(task, 1, tasks), task_before(task, 1, tasks)};
  }
};

/// "bruck".
struct BruckRows {
  static u32 steps(u32 tasks) { return tree_rounds(tasks); }
  static RowStep step(u32 task, u32 number, u32 tasks) {
    const u32 p = u32{1} << number;
    return {task, std::min(p, tasks - p), task_before(task, p, tasks), task_after(task, p, tasks)};
  }
};

/// "recursive-doubling".
struct DoublingRows {
  static u32 steps(u32 tasks) { return tree_rounds(tasks); }
  static RowStep step(u32 task, u32 number, u32 /*tasks*/) {
    const u32 p = u32{1} << number;
    return {task / p * p, p, task ^ p, task ^ p};
  }
};

/// "neighbor-exchange".
struct NeighborRows {
  static u32 steps(u32 tasks) { return tasks % 2 == 1 ? tasks - 1 : tasks / 2; }
  static RowStep step(u32 task, u32 number, u32 tasks) {
    if (tasks % 2 == 1) return RingRows::step(task, number, tasks);
    const bool up = (task + number) % 2 == 0;
    const u32 peer = up ? task_after(task, 1, tasks) : task_before(task, 1, tasks);
    if (number == 0) return {task, 1, peer, peer};
    const u32 own = task / 2 * 2, pairs = number / 2 * 2;
    return {up ? task_before(own, pairs, tasks) : task_after(own, pairs, tasks), 2, peer, peer};
  }
};

const bool allgatherv_ring_registered = add_collective(
    {.operation = "allgatherv",
     .algorithm = "ring",
     .help = "P - 1 steps: send to r + 1 what came last from r - 1 (Open MPI: ring); any number of tasks",
     .make = counted_program<AllgathervRows<RingRows>>,
     .is_default = true,
     .carries = AllgathervRows<RingRows>::carries,
     .sends_empty = true});

const bool allgatherv_bruck_registered = add_collective(
    {.operation = "allgatherv",
     .algorithm = "bruck",
     .help = "step k: send min(2^k, P - 2^k) parts to r - 2^k (MPICH, Open MPI: Bruck); any number of tasks",
     .make = counted_program<AllgathervRows<BruckRows>>,
     .longest = [](u32 tasks) { return u64{tasks / 2}; },
     .carries = AllgathervRows<BruckRows>::carries,
     .sends_empty = true});

const bool allgatherv_recursive_doubling_registered = add_collective(
    {.operation = "allgatherv",
     .algorithm = "recursive-doubling",
     .help = "step k: exchange 2^k parts with r xor 2^k (MPICH: recursive doubling); tasks: a power of two",
     .make =
         [](const CollectiveSpec& spec) {
           check_power_of_two(spec, "bruck");
           return counted_program<AllgathervRows<DoublingRows>>(spec);
         },
     .longest = [](u32 tasks) { return u64{tasks / 2}; },
     .carries = AllgathervRows<DoublingRows>::carries,
     .sends_empty = true});

const bool allgatherv_neighbor_exchange_registered = add_collective(
    {.operation = "allgatherv",
     .algorithm = "neighbor-exchange",
     .help = "P / 2 steps: exchange the two parts that came last with either neighbour in turn (Open MPI: neighbor "
             "exchange); any number of tasks, an odd one as ring",
     .make = counted_program<AllgathervRows<NeighborRows>>,
     .longest = [](u32 tasks) { return u64{tasks > 2 && tasks % 2 == 0 ? 2U : 1U}; },
     .carries = AllgathervRows<NeighborRows>::carries,
     .sends_empty = true});

/// As "ring", each message in segments: tag k x segments + j is segment j of step k.
struct AllgathervSegmentedRing : CountedPlan {
  u64 segments() const { return std::max<u64>(1, divided_up(counts ? counts->most() : bytes, segment_bytes)); }
  u64 segment(u32 of_task, u64 number) const {
    const u64 length = of(of_task), before = number * segment_bytes;
    return length > before ? std::min(segment_bytes, length - before) : 0;
  }
  u64 slots() const { return u64{2} * (tasks - 1) * segments(); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 tag = slot / 2, number = tag % segments();
    const auto step = static_cast<u32>(tag / segments());
    const u32 sent = task_before(task, step, tasks), got = task_before(task, step + 1, tasks);
    if (slot % 2 == 0) return send_unless_empty(task_after(task, 1, tasks), segment(sent, number), tag);
    return receive_unless_empty(task_before(task, 1, tasks), segment(got, number), tag);
  }
  /// A piece is there with its last segment.
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const auto plan = counted_plan<AllgathervSegmentedRing>(m.spec);
    const u64 count = plan.segments(), number = m.op.tag % count;
    const auto step = static_cast<u32>(m.op.tag / count);
    return piece.origin == task_before(m.from, step, plan.tasks) &&
           (number + 1) * plan.segment_bytes >= plan.of(piece.origin);
  }
};

const bool allgatherv_segmented_ring_registered =
    add_collective({.operation = "allgatherv",
                    .algorithm = "segmented-ring",
                    .help = "the same in segments of workload.segment_bytes (MPICH: ring); any number of tasks",
                    .make = counted_program<AllgathervSegmentedRing>,
                    .carries = AllgathervSegmentedRing::carries,
                    .divides = true,
                    .segment_bytes = 32768});

}  // namespace
}  // namespace weft::workloads
