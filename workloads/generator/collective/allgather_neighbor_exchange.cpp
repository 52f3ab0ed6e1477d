// Allgather "neighbor-exchange": pairs of neighbours exchange what they got last, with either neighbour in turn.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Step 0: pairs (2k, 2k + 1) exchange their pieces; step i: each with the neighbour on the other side, two pieces,
/// what came in the step before. An odd number of tasks does what "ring" does. Chen, Zhang, Zhang, Yuan, HPCASIA 2005;
/// Open MPI's "neighbor exchange".
struct AllgatherNeighborExchange : CollectivePlan {
  bool ring() const { return tasks % 2 == 1; }
  u64 slots() const { return ring() ? u64{2} * (tasks - 1) : u64{tasks}; }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    if (ring()) {
      return slot % 2 == 0 ? send_op(task_after(task, 1, tasks), bytes, step)
                           : receive_op(task_before(task, 1, tasks), bytes, step);
    }
    const bool up = (task + step) % 2 == 0;
    const u32 peer = up ? task_after(task, 1, tasks) : task_before(task, 1, tasks);
    const u64 length = bytes * (step == 0 ? 1 : 2);
    return slot % 2 == 0 ? send_op(peer, length, step) : receive_op(peer, length, step);
  }
  /// The first of the pieces that a task sends.
  u32 first_sent(u32 task, u32 step) const {
    if (ring()) return task_before(task, step, tasks);
    if (step == 0) return task;
    const u32 own = task / 2 * 2, pairs = step / 2 * 2;
    return (task + step) % 2 == 1 ? task_after(own, pairs, tasks) : task_before(own, pairs, tasks);
  }
};

bool neighbor_exchange_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto plan = collective_plan<AllgatherNeighborExchange>(m.spec);
  const u32 first = plan.first_sent(m.from, m.op.tag);
  return piece.origin == first || (m.op.amount > plan.bytes && piece.origin == first + 1);
}

const bool allgather_neighbor_exchange_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "neighbor-exchange",
     .help = "P / 2 steps: exchange the two parts that came last with either neighbour in turn (Open MPI: neighbor "
             "exchange); any number of tasks, an odd one as ring",
     .make = collective_program<AllgatherNeighborExchange>,
     .longest = [](u32 tasks) { return u64{tasks > 2 && tasks % 2 == 0 ? 2U : 1U}; },
     .carries = neighbor_exchange_carries});

}  // namespace
}  // namespace weft::workloads
