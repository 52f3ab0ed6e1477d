// Reduce-scatter "recursive-doubling": pairs exchange sums of all pieces but their own, over doubling distances; for
// short pieces and for what does not commute.
#include "workloads/generator/collective/doubling_of_any.hpp"
#include "workloads/generator/collective/reduce_scatter_forms.hpp"

namespace weft::workloads {
namespace {

/// Step k (doubling_of_any.hpp): the sums of the 2^k tasks around a task, of all pieces but those for them; tag k.
/// MPICH's and Open MPI's "recursive doubling".
struct ReduceScatterRecursiveDoubling : CollectivePlan {
  u64 slots() const { return DoublingOfAny{tasks}.places(); }
  Op op(u32 task, u32, u64 slot) const {
    const DoublingOfAny among{tasks};
    const u32 k = among.step_of(slot);
    const auto move = among.move(task, k, slot - DoublingOfAny::places_before(k));
    if (move.kind == DoublingOfAny::Move::Kind::none) return {};
    const bool sends = move.kind == DoublingOfAny::Move::Kind::send;
    const u64 length = bytes * (tasks - of(sends ? task : move.peer, k, move.handed_on).bytes);
    return sends ? send_unless_empty(move.peer, length, k) : receive_unless_empty(move.peer, length, k);
  }
  /// The tasks whose sums a task sends in step k.
  Extent of(u32 from, u32 k, bool handed_on) const {
    const u32 width = u32{1} << k, first = DoublingOfAny::block(handed_on ? from ^ width : from, k);
    return {first, std::min(width, tasks - first)};
  }
};

bool reduce_scatter_doubling_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const u32 k = m.op.tag;
  const auto plan = collective_plan<ReduceScatterRecursiveDoubling>(m.spec);
  return !plan.of(m.from, k, (m.from ^ m.op.peer) != u32{1} << k).has(piece.target);
}

const bool reduce_scatter_recursive_doubling_registered = add_reduce_scatter(
    {.algorithm = "recursive-doubling",
     .help = "step k: exchange with r xor 2^k the sums of the 2^k tasks around, of all pieces but theirs (MPICH, Open "
             "MPI: recursive doubling); any number of tasks",
     .make = collective_program<ReduceScatterRecursiveDoubling>,
     .longest = [](u32 tasks) { return u64{tasks - (tasks > 1 ? 1 : 0)}; },
     .carries = reduce_scatter_doubling_carries});

}  // namespace
}  // namespace weft::workloads
