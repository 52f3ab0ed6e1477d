// Reduce by halving, as Open MPI and as MPICH do it: a reduce-scatter, then a gather to task 0.
#pragma once

#include "workloads/generator/collective/halving.hpp"

namespace weft::workloads {

/// Pairs meet, and the even tasks work; numbers exchange halves (tags 2 + k). Then backwards, the farthest first: who
/// has bit k and none above sends all that it has to the one without (tags 2 + levels + j).
template <bool as_mpich>
struct ReduceHalving : CollectivePlan {
  Halving halving() const { return {bytes, {tasks, false}, as_mpich}; }
  u64 slots() const { return Halving::meeting + u64{3} * halving().levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Halving by = halving();
    const u32 levels = by.levels();
    if (slot < Halving::meeting) return by.meet(task, slot);
    if (!by.among.works(task)) return {};
    const u64 place = slot - Halving::meeting;
    if (place < u64{2} * levels) return by.split(task, static_cast<u32>(place / 2), place % 2);
    const u32 j = static_cast<u32>(place) - 2 * levels, k = levels - 1 - j, tag = Halving::first_tag + levels + j;
    const u32 number = by.among.number(task), other = number ^ (u32{1} << k), peer = by.among.task(other);
    if (number >> k > 1) return {};
    if (number >> k == 1) return send_unless_empty(peer, by.after(number, k + 1).bytes, tag);
    return receive_unless_empty(peer, by.after(other, k + 1).bytes, tag);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return collective_plan<ReduceHalving>(m.spec).halving().carries(m.from, m.op, piece.target);
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return collective_plan<ReduceHalving>(spec).halving().combines(receive);
  }
};

}  // namespace weft::workloads
