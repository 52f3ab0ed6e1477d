// Reduce "rabenseifner": a reduce-scatter by halving, then a gather to task 0; for long data.
#include "workloads/collective/halving.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: the first 2 r tasks fold, the even ones work. Tags 1 + k: halves are exchanged (halving.hpp). Then backwards,
/// the farthest first: who has bit k and none above sends all that it has to the one without; tags 1 + levels + j.
/// Thakur, Rabenseifner, Gropp 2005, section 4.4; MPICH's "reduce-scatter-gather", Open MPI's "rabenseifner".
struct ReduceRabenseifner : CollectivePlan {
  Folding among() const { return {tasks, false}; }
  u64 slots() const { return 1 + u64{3} * among().levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = among().levels();
    if (slot == 0) return among().fold(task, bytes, 0);
    if (!among().works(task)) return {};
    const Halving halving{bytes, levels};
    if (slot <= u64{2} * levels) {
      const auto k = static_cast<u32>((slot - 1) / 2);
      return halving.split(among(), task, k, (slot - 1) % 2, 1 + k);
    }
    const u32 j = static_cast<u32>(slot) - 1 - 2 * levels, k = levels - 1 - j, tag = 1 + levels + j;
    const u32 number = among().number(task), other = number ^ (u32{1} << k);
    if (number >> k > 1) return {};
    if (number >> k == 1) return send_unless_empty(among().task(other), halving.after(number, k + 1).bytes, tag);
    return receive_unless_empty(among().task(other), halving.after(other, k + 1).bytes, tag);
  }
};

/// In the first half of the steps what is to be the receiver's, in the second what the sender has.
bool reduce_rabenseifner_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const Folding among{m.spec.tasks, false};
  const u32 levels = among.levels();
  if (m.op.tag == 0) return true;
  const u32 step = m.op.tag - 1, k = step < levels ? step : 2 * levels - 1 - step;
  return Halving{m.spec.message_bytes, levels}
      .after(among.number(step < levels ? m.op.peer : m.from), k + 1)
      .has(piece.target);
}

const bool reduce_rabenseifner_registered = add_collective(
    {.operation = "reduce",
     .algorithm = "rabenseifner",
     .help = "step k: exchange halves of what is left with r xor 2^k; then a binomial gather of the sums (MPICH: "
             "reduce-scatter-gather, Open MPI: rabenseifner); any number of tasks",
     .make = collective_program<ReduceRabenseifner>,
     .carries = reduce_rabenseifner_carries,
     .divides = true});

}  // namespace
}  // namespace weft::workloads
