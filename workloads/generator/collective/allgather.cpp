// The operation allgather, with its algorithms.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool allgather_registered = OperationRegistry::instance().add(
    "allgather", {.help = "all get what each has", .before = Pieces::own, .after = Pieces::all});

/// "gather-broadcast": everything to task 0, and from there to all. Gather, tag 0: the in-order binomial tree, each
/// message has the parts of the sender's subtree. Broadcast of the whole, tag 1: as broadcast "binomial". What
/// libraries without an allgather of their own do (Open MPI: basic).
struct AllgatherGatherBroadcast : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot >= levels) {
      return down(doubling_edge(task, static_cast<u32>(slot) - levels, tasks), task, bytes * tasks, 1);
    }
    const auto round = static_cast<u32>(slot);
    const TreeEdge edge = in_order_edge(task, round, tasks);
    if (!edge.exists) return {};
    return up(edge, task, bytes * subtree_tasks(edge, round, tasks));
  }
};

const bool allgather_gather_broadcast_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "gather-broadcast",
     .help = "gather along a binomial tree, then broadcast of the whole (Open MPI: basic); any number of tasks",
     .make = collective_program<AllgatherGatherBroadcast>,
     .longest = [](u32 tasks) { return u64{tasks}; },
     .is_default = true});

/// "linear-gather-broadcast": every task sends to task 0 at once, which then broadcasts the whole. Gather, tag 0: task
/// 0 receives from 1, 2, 3 ... Broadcast of the whole, tag 1: as broadcast "binomial". It fits the published times of
/// Andujar et al., CPE 2018 (docs/extoll.md).
struct AllgatherLinearGatherBroadcast : StarPlan {
  u64 slots(u32 task) const { return StarPlan::slots(task) + tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 meetings = StarPlan::slots(task);
    if (slot < meetings) return up(edge(task, slot), task, bytes);
    return down(doubling_edge(task, static_cast<u32>(slot - meetings), tasks), task, bytes * tasks, 1);
  }
};

const bool allgather_linear_gather_broadcast_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "linear-gather-broadcast",
     .help = "all send to task 0 at once, which broadcasts the whole along a binomial tree; any number of tasks",
     .make = collective_program<AllgatherLinearGatherBroadcast>,
     .longest = [](u32 tasks) { return u64{tasks}; }});

/// "ring": every task passes on to the next what it got last. Step s: task r sends the part of task r - s to r + 1,
/// then waits for the next from r - 1. MPICH's and Open MPI's "ring".
struct AllgatherRing : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const { return shift(slot, task, 1, bytes); }
};

const bool allgather_ring_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "ring",
     .help = "P - 1 steps: send to r + 1 what came last from r - 1 (MPICH, Open MPI: ring); any number of tasks",
     .make = collective_program<AllgatherRing>});

/// "neighbor-exchange": pairs of neighbours exchange what they got last, with either neighbour in turn. Step 0: pairs
/// (2k, 2k + 1) exchange their pieces; step i: each with the neighbour on the other side, two pieces, what came in the
/// step before. An odd number of tasks does what "ring" does. Chen, Zhang, Zhang, Yuan, HPCASIA 2005; Open MPI's
/// "neighbor exchange".
struct AllgatherNeighborExchange : CollectivePlan {
  bool ring() const { return tasks % 2 == 1; }
  u64 slots() const { return ring() ? u64{2} * (tasks - 1) : u64{tasks}; }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    if (ring()) return shift(slot, task, 1, bytes, step);
    const bool up = (task + step) % 2 == 0;
    const u32 peer = up ? task_after(task, 1, tasks) : task_before(task, 1, tasks);
    return exchange(slot, peer, bytes * (step == 0 ? 1 : 2), step);
  }
  /// The first of the pieces that a task sends.
  u32 first_sent(u32 task, u32 step) const {
    if (ring()) return task_before(task, step, tasks);
    if (step == 0) return task;
    const u32 own = task / 2 * 2, pairs = step / 2 * 2;
    return (task + step) % 2 == 1 ? task_after(own, pairs, tasks) : task_before(own, pairs, tasks);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const u32 first = collective_plan<AllgatherNeighborExchange>(m.spec).first_sent(m.from, m.op.tag);
    return piece.origin == first || (m.op.amount > m.spec.message_bytes && piece.origin == first + 1);
  }
};

const bool allgather_neighbor_exchange_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "neighbor-exchange",
     .help = "P / 2 steps: exchange the two parts that came last with either neighbour in turn (Open MPI: neighbor "
             "exchange); any number of tasks, an odd one as ring",
     .make = collective_program<AllgatherNeighborExchange>,
     .longest = [](u32 tasks) { return u64{tasks > 2 && tasks % 2 == 0 ? 2U : 1U}; },
     .carries = AllgatherNeighborExchange::carries});

/// "bruck": as many steps as recursive doubling, for any number of tasks. Step k, p = 2^k < tasks: task r has the parts
/// of r .. r + p - 1 and sends the first min(p, tasks - p) of them to r - p. Bruck et al., IEEE TPDS 8(11), 1997;
/// MPICH's and Open MPI's "Bruck".
struct AllgatherBruck : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    const u32 p = u32{1} << step;
    return shift(slot, task, tasks - p, bytes * std::min(p, tasks - p), step);  // to r - p
  }
};

const bool allgather_bruck_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "bruck",
     .help = "step k: send min(2^k, P - 2^k) parts to r - 2^k (MPICH, Open MPI: Bruck); any number of tasks",
     .make = collective_program<AllgatherBruck>,
     .longest = [](u32 tasks) { return u64{tasks / 2}; }});

/// "recursive-doubling": pairs exchange all they have, over doubling distances. Step k: task r and r xor 2^k exchange
/// the 2^k parts that each has by then; tag k. MPICH's and Open MPI's "recursive doubling".
struct AllgatherRecursiveDoubling : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    return exchange(slot, task ^ (u32{1} << step), bytes << step, step);
  }
};

const bool allgather_recursive_doubling_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "recursive-doubling",
     .help = "step k: exchange 2^k parts with r xor 2^k (MPICH, Open MPI: recursive doubling); tasks: a power of two",
     .make =
         [](const CollectiveSpec& spec) {
           check_power_of_two(spec, "bruck");
           return collective_program<AllgatherRecursiveDoubling>(spec);
         },
     .longest = [](u32 tasks) { return u64{tasks / 2}; }});

}  // namespace
}  // namespace weft::workloads
