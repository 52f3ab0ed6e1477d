// Which task goes to which place: the quadratic assignment of a communication matrix to the distances of a network, by
// search. Integers and a fixed seed: the same mapping on any machine and any number of ranks.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/program/placement/task_traffic.hpp"

namespace weft::workloads {

/// How far the nodes are from each other that tasks may be placed on. Nodes of a router are as far from all others.
class NodeDistances {
 public:
  /// `router_of` may be empty: each node has a router of its own. Throws ConfigError for more routers with nodes than a
  /// table is made for.
  NodeDistances(std::span<const NodeId> nodes, const std::function<u32(u32 node)>& router_of,
                const std::function<u32(u32 from, u32 to)>& distance);

  [[nodiscard]] u32 nodes() const { return static_cast<u32>(class_of_.size()); }
  /// Between two of the nodes, by their place among them.
  [[nodiscard]] u32 operator()(u32 from, u32 to) const {
    return from == to ? 0 : table_[u64{class_of_[from]} * classes_ + class_of_[to]];
  }
  /// [k]: the least distance, over all nodes, to the k-th nearest place for another task, in one direction or the
  /// other; for so many others and `places` tasks a node.
  [[nodiscard]] std::vector<u32> nearest(u32 others, u32 places) const;

 private:
  std::vector<u32> class_of_, size_of_;  ///< [node]: its router; [router]: its nodes
  u32 classes_ = 0;
  std::vector<u16> table_;  ///< [router from][router to]; its own: between two nodes of it
};

/// Sums of bytes times hops, and the bytes.
struct MappingCost {
  double bytes = 0;
  double hop_bytes = 0;              ///< of the mapping
  double consecutive_hop_bytes = 0;  ///< of tasks in the order of their numbers on the free nodes in theirs
  double least_hop_bytes = 0;        ///< no placement has less; perhaps none has so little
  MappingCost& operator+=(const MappingCost& other);
};

struct Mapping {
  std::vector<u32> node_of_task;  ///< [task]: place among the nodes
  MappingCost cost;
};

/// Puts tasks on nodes, at most `places` on each, so that bytes go few hops: a greedy construction (task by task, that
/// with most bytes for those placed, to the node nearest to them; Mueller-Merbach 1970) and consecutive placement, each
/// improved by exchanges of two tasks or moves to a free place, then the better one again and again with some exchanged
/// at random (iterated local search). It ends when nothing below is possible, when many trials in a row were in vain,
/// or after about `effort` distances looked at; it is never worse than consecutive placement.
[[nodiscard]] Mapping map_tasks(const TaskTraffic& traffic, const NodeDistances& distance, u32 places, u64 effort);

}  // namespace weft::workloads
