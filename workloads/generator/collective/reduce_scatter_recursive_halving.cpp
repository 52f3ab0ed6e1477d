// Reduce-scatter "recursive-halving": pairs exchange the halves that are not theirs, over halving distances.
#include "workloads/generator/collective/folding.hpp"
#include "workloads/generator/collective/reduce_scatter_forms.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: the first 2 r tasks fold with all their pieces (folding.hpp); tag 1 + j: numbers that differ in bit k, from
/// the largest down, exchange the pieces of the other's half; last tag: each of the pairs gets its piece. Thakur,
/// Rabenseifner, Gropp 2005, section 4.3; MPICH's and Open MPI's "recursive halving".
struct ReduceScatterRecursiveHalving : CollectivePlan {
  u64 slots() const { return 2 + u64{2} * Folding{tasks}.levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Folding among{tasks};
    if (slot == 0) return among.fold(task, bytes * tasks, 0);
    if (slot + 1 == slots()) return among.unfold(task, bytes, among.levels() + 1);
    if (!among.works(task)) return {};
    const u32 j = static_cast<u32>((slot - 1) / 2), number = among.number(task);
    const u32 other = number ^ (u32{1} << (among.levels() - 1 - j)), peer = among.task(other);
    if (slot % 2 == 1) return send_op(peer, bytes * half(other, j).bytes, 1 + j);
    return receive_op(peer, bytes * half(number, j).bytes, 1 + j);
  }
  /// Pieces, as an extent, that a number has after step j.
  Extent half(u32 number, u32 j) const {
    const Folding among{tasks};
    const u32 shift = among.levels() - 1 - j, first = number >> shift << shift, end = first + (u32{1} << shift);
    const auto piece = [&](u32 n) { return n < among.extra() ? 2 * n : n + among.extra(); };
    return {piece(first), piece(end) - piece(first)};
  }
};

bool recursive_halving_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const Folding among{m.spec.tasks};
  if (m.op.tag == 0) return true;
  if (m.op.tag > among.levels()) return piece.target == m.op.peer;
  const auto plan = collective_plan<ReduceScatterRecursiveHalving>(m.spec);
  return plan.half(among.number(m.op.peer), m.op.tag - 1).has(piece.target);
}

const bool reduce_scatter_recursive_halving_registered = add_reduce_scatter(
    {.algorithm = "recursive-halving",
     .help = "2^k from the largest down: exchange the pieces of the other's half with r xor 2^k; pairs as in allreduce "
             "recursive-doubling (MPICH, Open MPI: recursive halving); any number of tasks",
     .make = collective_program<ReduceScatterRecursiveHalving>,
     .longest = [](u32 tasks) { return std::has_single_bit(tasks) ? u64{tasks / 2} : u64{tasks}; },
     .usual = true,
     .carries = recursive_halving_carries,
     .combines = [](const CollectiveSpec& spec,
                    const Op& receive) { return receive.tag <= Folding{spec.tasks}.levels(); }});

}  // namespace
}  // namespace weft::workloads
