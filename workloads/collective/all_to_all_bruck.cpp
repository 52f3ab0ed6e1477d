// All-to-all "bruck": few long messages in place of many short ones, through other tasks.
#include "workloads/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Numbers below `tasks` with this bit set.
u64 ways_with_bit(u32 bit, u32 tasks) {
  const u64 p = u64{1} << bit, rest = tasks % (2 * p);
  return tasks / (2 * p) * p + (rest > p ? rest - p : 0);
}

/// Step k: everything whose path is still j = destination - origin (mod tasks) with bit k set moves on by 2^k tasks, in
/// one message; tag k. Bruck et al., IEEE TPDS 8(11), 1997; MPICH's and Open MPI's "Bruck".
struct AllToAllBruck : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    const u32 p = u32{1} << step;
    const u64 length = bytes * ways_with_bit(step, tasks);
    if (slot % 2 == 0) return send_op(task_after(task, p, tasks), length, step);
    return receive_op(task_before(task, p, tasks), length, step);
  }
};

/// What has gone as far as the lower bits of its distance say, and has this bit to go.
bool bruck_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const u32 distance = task_before(piece.target, piece.origin, m.spec.tasks);
  const u32 gone = task_before(m.from, piece.origin, m.spec.tasks);
  return ((distance >> m.op.tag) & 1) != 0 && gone == distance % (1U << m.op.tag);
}

const bool all_to_all_bruck_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "bruck",
     .help = "step k: send all whose path has bit k set to r + 2^k (MPICH, Open MPI: Bruck); any number of tasks",
     .make = collective_program<AllToAllBruck>,
     .longest =
         [](u32 tasks) {
           u64 most = 1;
           for (u32 step = 0; step < tree_rounds(tasks); ++step) most = std::max(most, ways_with_bit(step, tasks));
           return most;
         },
     .carries = bruck_carries});

}  // namespace
}  // namespace weft::workloads
