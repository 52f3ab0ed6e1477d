// Trees of switches: what routers compute with that go up to a common ancestor and down again.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Extended generalised fat tree XGFT(h; m_1..m_h; w_1..w_h) (Ohring et al. 1995) with w_1 = 1.
/// Levels count from 0 (bottom switches). A switch of level l is (subtree, j): subtree = the number of the subtree with
/// m_1*...*m_{l+1} nodes below it, j < w_1*...*w_{l+1} its place among the switches on top of that subtree. Switch ids
/// are level by level from the bottom, inside a level subtree * (w_1*...*w_{l+1}) + j.
/// Ports of a level-l switch: up ports 0..w_{l+2}-1 (none at the top level), then down ports, one per child subtree or
/// node: port = up_ports(l) + digit. Parent through up port p: (subtree / m_{l+2}, p * (w_1*...*w_{l+1}) + j).
struct TreeGeometry {
  std::vector<u32> down;  ///< m_{l+1}: children of a level-l switch, [level]
  std::vector<u32> up;    ///< up ports of a level-l switch, [level]; the last is 0
};

/// A fat tree, thinned or not; a crossbar is one of one switch. The kind of a switch is its level.
class FatTree : public Topology {
 public:
  explicit FatTree(TreeGeometry geometry) : geometry_(std::move(geometry)) {}
  [[nodiscard]] const TreeGeometry& geometry() const { return geometry_; }
  /// Links between a switch of a level and each of its parents.
  [[nodiscard]] virtual u32 parallel(u32 /*level*/) const { return 1; }
  [[nodiscard]] bool direct() const override { return false; }
  [[nodiscard]] u32 kinds() const override { return static_cast<u32>(geometry_.down.size()); }
  [[nodiscard]] u32 kind_ports(u32 level) const override { return geometry_.down[level] + geometry_.up[level]; }
  [[nodiscard]] u64 kind_routers(u32 level) const override;
  /// By subtrees; even if each part has equally many leaf switches.
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;
  [[nodiscard]] u32 work(RouterId router) const override { return ports(router); }
  /// The node half the machine away: all packets cross the top, which thinned trees have least of. (Routes by number
  /// have worse cases, where nodes of a switch send to nodes with one remainder.)
  [[nodiscard]] std::optional<NodeRange> worst_case(NodeId from) const override {
    return NodeRange{static_cast<u32>((u64{from.value()} + nodes() / 2) % nodes()), 1};
  }

 private:
  TreeGeometry geometry_;
};

/// The geometry of a topology that is a tree. A Bug if it is none: routers are asked to fit first.
[[nodiscard]] const TreeGeometry& tree_geometry(const Topology& topology);

}  // namespace weft::models
