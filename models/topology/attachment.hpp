// Which nodes of a topology the NICs of a compute node are.
#pragma once

#include <optional>
#include <vector>

#include "models/topology/part_of.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Compute nodes with several NICs, each of which is a node of the topology. NIC i is in plane i % planes; the NICs of
/// a node in one plane are `row` nodes of the topology apart, as `row` compute nodes have theirs side by side: 1 puts
/// the NICs of a node next to each other, the nodes of a leaf switch put NIC k of so many compute nodes on one (rails).
/// Its tasks are at its first NIC.
class Attachment {
 public:
  /// One NIC a node: compute nodes are those of the topology.
  explicit Attachment(const Topology& topology) : Attachment(topology, 1, 1) {}
  /// `nics` is a multiple of the planes of the topology, and row * nics / planes divides the nodes of a plane.
  Attachment(const Topology& topology, u32 nics, u32 row);

  [[nodiscard]] u32 nics() const { return nics_; }
  /// Compute nodes.
  [[nodiscard]] u32 nodes() const { return plane_nodes_ / nics_in_plane_; }
  /// The first NIC of a compute node.
  [[nodiscard]] NodeId home(u32 node) const { return NodeId(node / row_ * nics_in_plane_ * row_ + node % row_); }
  /// How far NIC i of any node is behind its first.
  [[nodiscard]] u32 offset(u32 nic) const { return nic / planes_ * row_ + nic % planes_ * plane_nodes_; }
  [[nodiscard]] NodeId endpoint(u32 node, u32 nic) const { return NodeId(home(node).value() + offset(nic)); }

  /// [router]: the number of its group, counted from 0: routers on which a node has NICs are in one.
  [[nodiscard]] std::vector<u32> groups(const Topology& topology) const;
  /// Node that has NICs in two parts, if any has.
  [[nodiscard]] std::optional<u32> torn(const Topology& topology, const PartOf& part_of) const;

 private:
  u32 nics_, planes_, nics_in_plane_, row_, plane_nodes_;
};

/// Nodes of each leaf switch, where all leaves have equally many, with consecutive numbers; else 0.
[[nodiscard]] u32 nodes_of_leaf(const Topology& topology);

}  // namespace weft::models
