// Allreduce "rabenseifner": a reduce-scatter by halving, then an allgather by doubling; for long data.
#include "workloads/collective/halving.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: the first 2 r tasks fold (folding.hpp). Tags 1 + k: halves are exchanged (halving.hpp). Then the same steps
/// backwards with sums, the farthest first, tags 1 + levels + j; then the way back of the pairs. Thakur, Rabenseifner,
/// Gropp 2005, section 4.5; MPICH's "reduce-scatter-allgather", Open MPI's "rabenseifner".
struct AllreduceRabenseifner : CollectivePlan {
  u64 slots() const { return 2 + u64{4} * Folding{tasks}.levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Folding among{tasks};
    const u32 levels = among.levels();
    if (slot == 0) return among.fold(task, bytes, 0);
    if (slot + 1 == slots()) return among.unfold(task, bytes, 2 * levels + 1);
    if (!among.works(task)) return {};
    const auto step = static_cast<u32>((slot - 1) / 2);
    const Halving halving{bytes, levels};
    if (step < levels) return halving.split(among, task, step, (slot - 1) % 2, 1 + step);
    const u32 k = 2 * levels - 1 - step, number = among.number(task), other = number ^ (u32{1} << k);
    if (slot % 2 == 1) return send_unless_empty(among.task(other), halving.after(number, k + 1).bytes, 1 + step);
    return receive_unless_empty(among.task(other), halving.after(other, k + 1).bytes, 1 + step);
  }
};

/// In the first half of the steps what is to be the receiver's, in the second what the sender has.
bool allreduce_rabenseifner_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const Folding among{m.spec.tasks};
  const u32 levels = among.levels();
  if (m.op.tag == 0 || m.op.tag > 2 * levels) return true;
  const u32 step = m.op.tag - 1, k = step < levels ? step : 2 * levels - 1 - step;
  return Halving{m.spec.message_bytes, levels}
      .after(among.number(step < levels ? m.op.peer : m.from), k + 1)
      .has(piece.target);
}

const bool allreduce_rabenseifner_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "rabenseifner",
     .help =
         "step k: exchange halves of what is left with r xor 2^k; then back again with the sums (MPICH: reduce-scatter-"
         "allgather, Open MPI: rabenseifner); any number of tasks",
     .make = collective_program<AllreduceRabenseifner>,
     .carries = allreduce_rabenseifner_carries,
     .divides = true});

}  // namespace
}  // namespace weft::workloads
