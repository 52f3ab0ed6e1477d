// Allreduce by halving, as Open MPI and as MPICH do it: a reduce-scatter, then an allgather along the same pairs.
#pragma once

#include "workloads/generator/collective/halving.hpp"

namespace weft::workloads {

/// Pairs meet; numbers exchange halves (tags 2 + k); then the same steps backwards with the sums, the farthest first
/// (tags 2 + levels + j); then those of the pairs that do not work get the result.
template <bool as_mpich>
struct AllreduceHalving : CollectivePlan {
  Halving halving() const { return {bytes, {tasks, as_mpich}, as_mpich}; }
  u64 slots() const { return Halving::meeting + u64{4} * halving().levels() + 1; }
  Op op(u32 task, u32, u64 slot) const {
    const Halving by = halving();
    const u32 levels = by.levels();
    if (slot < Halving::meeting) return by.meet(task, slot);
    if (slot + 1 == slots()) return by.among.unfold(task, bytes, Halving::first_tag + 2 * levels);
    if (!by.among.works(task)) return {};
    const u64 place = slot - Halving::meeting;
    const auto step = static_cast<u32>(place / 2);
    if (step < levels) return by.split(task, step, place % 2);
    const u32 k = 2 * levels - 1 - step, number = by.among.number(task), other = number ^ (u32{1} << k);
    const u32 peer = by.among.task(other), tag = Halving::first_tag + step;
    if (place % 2 == 0) return send_unless_empty(peer, by.after(number, k + 1).bytes, tag);
    return receive_unless_empty(peer, by.after(other, k + 1).bytes, tag);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return collective_plan<AllreduceHalving>(m.spec).halving().carries(m.from, m.op, piece.target);
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return collective_plan<AllreduceHalving>(spec).halving().combines(receive);
  }
};

}  // namespace weft::workloads
