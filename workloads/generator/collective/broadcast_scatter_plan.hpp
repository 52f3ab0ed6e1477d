// Pieces of a broadcast that is scattered first: what both forms of its allgather share.
#pragma once

#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {

/// The data is cut into pieces of ceil(bytes / tasks) bytes, the last ones shorter or empty; empty ones are not sent.
/// Scatter, tag 0: the in-order binomial tree from its root, each child gets the pieces of its subtree.
struct ScatteredBroadcast : CollectivePlan {
  u64 piece() const { return bytes / tasks + (bytes % tasks != 0 ? 1 : 0); }
  /// Pieces from number `first` on.
  Extent pieces(u64 first, u64 count) const {
    const u64 from = std::min(bytes, first * piece());
    return {from, std::min(bytes, (first + count) * piece()) - from};
  }
  Op scatter(u32 task, u32 slot) const {
    const u32 round = tree_rounds(tasks) - 1 - slot;
    const TreeEdge edge = in_order_edge(task, round, tasks);
    if (!edge.exists) return {};
    const u64 length = pieces(edge.child, subtree_tasks(edge, round, tasks)).bytes;
    return length > 0 ? down(edge, task, length) : Op{};
  }
  /// Whether a message of the scatter carries a byte.
  static bool scatter_carries(const ScatteredBroadcast& plan, const Op& op, u64 byte) {
    return Extent{op.peer * plan.piece(), op.amount}.has(byte);
  }
};

}  // namespace weft::workloads
