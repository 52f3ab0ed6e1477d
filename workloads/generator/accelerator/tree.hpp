// Double binary trees of accelerators: two trees over the nodes in which no node is inside both, each for half of the
// channels; inside a node a chain hangs on the task that is in the tree.
// After Sanders, Speck, Traff: Two-tree algorithms for full bandwidth broadcast, reduction and scan (Parallel Computing
// 35(12), 2009), and NCCL 2.4 (S. Jeaugey: Massively scale your deep learning training with NCCL 2.4, 2019).
#pragma once

#include <optional>
#include <vector>

#include "workloads/generator/accelerator/group.hpp"

namespace weft::workloads {

/// Where a rank is in a tree.
struct RankLinks {
  std::optional<u32> parent;
  std::vector<u32> children;
};

/// Where a rank of a group of nodes of so many ranks in a row is in one of the two trees. The chain inside a node
/// begins at place `head` of it.
[[nodiscard]] RankLinks double_tree_place(u32 rank, u32 ranks, u32 node_ranks, u32 tree, u32 head);

/// Sums go up, chunk by chunk; the root marks `counter` when a chunk is there.
[[nodiscard]] OpGenerator tree_up(RankPart part, RankLinks place, u64 bytes, u32 counter);
/// Results come down; the root waits for the marks, those of so many repetitions behind it. A lane of its own: both
/// directions are in flight at the same time.
[[nodiscard]] OpGenerator tree_down(RankPart part, RankLinks place, u64 bytes, u32 counter, u32 repetition);

}  // namespace weft::workloads
