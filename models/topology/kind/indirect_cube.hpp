// Indirect cubes: tori of switches, with several nodes a switch and several links between neighbours.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// A torus of switches, numbered as the routers of a torus are: sum over d of coordinate[d] * (product of
/// dims[0..d-1]). Each has c nodes, node n is at switch n / c, and m links to each neighbour. Ports: by dimension,
/// then up before down, then by link, then the nodes: port = (2d + down) * m + link, and 2 * dimensions * m + (n mod
/// c). Link l joins port l upwards to port l downwards. A dimension of one switch has no links.
class IndirectCube : public Topology {
 public:
  IndirectCube(std::vector<u32> dims, u32 nodes_per_switch, u32 parallel_links);

  [[nodiscard]] const std::vector<u32>& dims() const { return dims_; }
  [[nodiscard]] u32 dimensions() const { return static_cast<u32>(dims_.size()); }
  [[nodiscard]] u32 nodes_per_switch() const { return nodes_per_switch_; }
  [[nodiscard]] u32 parallel_links() const { return parallel_links_; }
  [[nodiscard]] u32 coordinate(RouterId router, u32 d) const { return router.value() / strides_[d] % dims_[d]; }
  /// Port of a link, up or down in dimension d.
  [[nodiscard]] u32 link_port(u32 d, bool down, u32 link) const {
    return (2 * d + (down ? 1 : 0)) * parallel_links_ + link;
  }
  [[nodiscard]] u32 first_node_port() const { return 2 * dimensions() * parallel_links_; }

  [[nodiscard]] u32 nodes() const override { return switches_ * nodes_per_switch_; }
  [[nodiscard]] u32 routers() const override { return switches_; }
  [[nodiscard]] u32 ports(RouterId /*router*/) const override { return first_node_port() + nodes_per_switch_; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override { return RouterId{node.value() / nodes_per_switch_}; }
  [[nodiscard]] u32 port_of(NodeId node) const override { return first_node_port() + node.value() % nodes_per_switch_; }
  [[nodiscard]] bool direct() const override { return false; }
  [[nodiscard]] u32 nodes_at(RouterId /*router*/) const override { return nodes_per_switch_; }
  [[nodiscard]] u32 kind_ports(u32 /*kind*/) const override { return ports(RouterId{0}); }
  [[nodiscard]] u32 work(RouterId /*router*/) const override { return ports(RouterId{0}); }

  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override;
  [[nodiscard]] u32 diameter() const override;
  [[nodiscard]] double mean_distance() const override;
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;

 private:
  /// Mean hops in a dimension between all ordered pairs of different nodes.
  [[nodiscard]] double mean_hops(u32 d) const;

  std::vector<u32> dims_, strides_;
  u32 nodes_per_switch_, parallel_links_;
  u32 switches_ = 1;
};

}  // namespace weft::models
