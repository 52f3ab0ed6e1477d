// All-to-all "bruck": few long messages in place of many short ones, through other tasks.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Steps (k, d), d = 1 to radix - 1: everything whose path is j = destination - origin (mod tasks) with digit d in
/// place k of j, in base radix, moves on by d radix^k tasks, in one message; tags number the steps. Bruck et al., IEEE
/// TPDS 8(11), 1997; MPICH's and Open MPI's "Bruck" with radix 2.
struct AllToAllBruck : CollectivePlan {
  struct Step {
    u64 place = 1, digit = 1;  ///< radix^k, d
  };
  u32 digits() const {
    u32 count = 0;
    for (u64 reached = 1; reached < tasks; reached *= radix) ++count;
    return count;
  }
  u64 slots() const { return u64{2} * digits() * (radix - 1); }
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
    if (length == 0) return {};
    const auto distance = static_cast<u32>(at.place * at.digit), tag = static_cast<u32>(slot / 2);
    if (slot % 2 == 0) return send_op(task_after(task, distance, tasks), length, tag);
    return receive_op(task_before(task, distance, tasks), length, tag);
  }
};

/// What has gone as far as the lower digits of its distance say, and has this digit to go.
bool bruck_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto step = collective_plan<AllToAllBruck>(m.spec).step(m.op.tag);
  const u32 distance = task_before(piece.target, piece.origin, m.spec.tasks);
  const u32 gone = task_before(m.from, piece.origin, m.spec.tasks);
  return distance / step.place % m.spec.radix == step.digit && gone == distance % step.place;
}

const bool all_to_all_bruck_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "bruck",
     .help = "step (k, d): send all whose path has digit d in place k, base workload.radix, to r + d radix^k (MPICH, "
             "Open MPI: Bruck); any number of tasks",
     .make = collective_program<AllToAllBruck>,
     .longest = [](u32 tasks) { return u64{tasks / 2}; },
     .carries = bruck_carries,
     .radix = 2});

}  // namespace
}  // namespace weft::workloads
