// HyperX networks (Ahn, Binkert, Davis, McLaren, Schreiber, SC 2009), flattened butterflies among them (Kim, Dally,
// Abts, ISCA 2007): routers on a grid, each joined to all others of its line in each dimension.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Router r has the coordinates r / (dims[0] * ... * dims[d-1]) mod dims[d]; node n is at router n / p, p nodes each.
/// Between two routers that differ in dimension d alone there are widths[d] links. Ports of a router: those of
/// dimension 0, 1, ..., then p nodes. In a dimension the links to coordinate 0 come first, then those to 1, ..., the
/// router's own coordinate left out; link l of two routers has number l at both. Links of dimension 0 are of the class
/// "link", those of all others "global": dimension 0 is what fits into a chassis.
class HyperX : public Topology {
 public:
  /// `widths`: of each dimension.
  HyperX(std::vector<u32> dims, std::vector<u32> widths, u32 nodes_per_router);

  [[nodiscard]] u32 dimensions() const { return static_cast<u32>(dims_.size()); }
  [[nodiscard]] u32 size(u32 dimension) const { return dims_[dimension]; }
  [[nodiscard]] u32 width(u32 dimension) const { return widths_[dimension]; }
  [[nodiscard]] u32 coordinate(u32 router, u32 dimension) const {
    return router / strides_[dimension] % dims_[dimension];
  }
  /// The router with another coordinate in one dimension.
  [[nodiscard]] u32 moved(u32 router, u32 dimension, u32 to) const {
    return router - coordinate(router, dimension) * strides_[dimension] + to * strides_[dimension];
  }
  /// Port of the l-th link to the router with coordinate `to` in a dimension, from one with coordinate `at` there.
  [[nodiscard]] u32 port(u32 dimension, u32 at, u32 to, u32 l) const {
    return first_ports_[dimension] + (to < at ? to : to - 1) * widths_[dimension] + l;
  }
  /// Dimension of a port to another router.
  [[nodiscard]] u32 dimension_of(u32 port) const;
  [[nodiscard]] u32 first_node_port() const { return first_ports_.back(); }
  /// Dimensions in which two routers differ: hops between them.
  [[nodiscard]] u32 hops(u32 from, u32 to) const;

  [[nodiscard]] u32 nodes() const override { return routers_ * nodes_per_router_; }
  [[nodiscard]] u32 routers() const override { return routers_; }
  [[nodiscard]] u32 ports(RouterId /*router*/) const override { return first_node_port() + nodes_per_router_; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override { return RouterId{node.value() / nodes_per_router_}; }
  [[nodiscard]] u32 port_of(NodeId node) const override { return first_node_port() + node.value() % nodes_per_router_; }
  [[nodiscard]] bool direct() const override { return false; }
  [[nodiscard]] u32 nodes_at(RouterId /*router*/) const override { return nodes_per_router_; }
  [[nodiscard]] u32 kind_ports(u32 /*kind*/) const override { return ports(RouterId{0}); }
  [[nodiscard]] u32 work(RouterId /*router*/) const override { return ports(RouterId{0}); }
  [[nodiscard]] std::vector<std::string> link_classes() const override { return {"link", "node", "global"}; }
  [[nodiscard]] u32 link_class(RouterId /*router*/, u32 port) const override {
    constexpr u32 local = 0, global = 2;
    return port < first_ports_[1] ? local : port < first_node_port() ? global : node_link_class();
  }
  /// Nodes of a router: minimal routes have least links between two groups that are next to each other.
  [[nodiscard]] u32 group_nodes() const override { return nodes_per_router_; }

  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override {
    return from == to ? 0 : 2 + hops(router_of(from).value(), router_of(to).value());
  }
  [[nodiscard]] u32 diameter() const override;
  [[nodiscard]] double mean_distance() const override;
  /// Bound of the links of each dimension, which shortest routes load alike whatever their order of dimensions.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;
  /// Routers by number: slabs across the last dimension, or across lower ones where there are more parts.
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;

 private:
  std::vector<u32> dims_, widths_, strides_;
  std::vector<u32> first_ports_;  ///< [dimension]; behind them that of the nodes
  u32 routers_ = 1, nodes_per_router_;
};

}  // namespace weft::models
