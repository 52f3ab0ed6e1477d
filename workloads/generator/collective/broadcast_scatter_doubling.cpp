// Broadcast "scatter-doubling": a piece to each task, then all pieces by recursive doubling; for data of middle length.
#include "workloads/generator/collective/broadcast_scatter_plan.hpp"
#include "workloads/generator/collective/doubling_of_any.hpp"

namespace weft::workloads {
namespace {

/// Allgather, tag 1 + k: recursive doubling (doubling_of_any.hpp) of pieces. MPICH's "scatter recursive doubling
/// allgather", Open MPI's "scatter allgather".
struct BroadcastScatterDoubling : ScatteredBroadcast {
  u64 slots() const { return tree_rounds(tasks) + DoublingOfAny{tasks}.places(); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot < levels) return scatter(task, static_cast<u32>(slot));
    const DoublingOfAny among{tasks};
    const u32 k = among.step_of(slot - levels);
    const auto move = among.move(task, k, slot - levels - DoublingOfAny::places_before(k));
    if (move.kind == DoublingOfAny::Move::Kind::none) return {};
    const bool sends = move.kind == DoublingOfAny::Move::Kind::send;
    const u64 length = sent(sends ? task : move.peer, k, move.handed_on).bytes;
    return sends ? send_unless_empty(move.peer, length, 1 + k) : receive_unless_empty(move.peer, length, 1 + k);
  }
  /// What a task sends in step k: what its block has, or what it got.
  Extent sent(u32 from, u32 k, bool handed_on) const {
    const u32 width = u32{1} << k;
    return pieces(DoublingOfAny::block(handed_on ? from ^ width : from, k), width);
  }
};

bool scatter_doubling_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto plan = collective_plan<BroadcastScatterDoubling>(m.spec);
  if (m.op.tag == 0) return ScatteredBroadcast::scatter_carries(plan, m.op, piece.target);
  const u32 k = m.op.tag - 1;
  return plan.sent(m.from, k, (m.from ^ m.op.peer) != u32{1} << k).has(piece.target);
}

const bool broadcast_scatter_doubling_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "scatter-doubling",
     .help = "pieces down a binomial tree, then all of them by recursive doubling (MPICH: scatter recursive doubling "
             "allgather, Open MPI: scatter allgather); any number of tasks",
     .make = collective_program<BroadcastScatterDoubling>,
     .carries = scatter_doubling_carries,
     .divides = true});

}  // namespace
}  // namespace weft::workloads
