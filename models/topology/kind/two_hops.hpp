// Networks of diameter 2: any two routers are neighbours, or have a neighbour in common.
#pragma once

#include "models/topology/topology.hpp"

namespace weft::models {

/// Nodes have links of their own, as many at each router; ports to other routers come before those to nodes. Node n is
/// at router n / nodes_per_router().
class TwoHopNetwork : public Topology {
 public:
  explicit TwoHopNetwork(u32 nodes_per_router) : nodes_per_router_(nodes_per_router) {}

  static constexpr u32 no_port = ~u32{0};
  /// p
  [[nodiscard]] u32 nodes_per_router() const { return nodes_per_router_; }
  /// Links of a router to others.
  [[nodiscard]] virtual u32 links_of(RouterId router) const = 0;
  /// Port that leads from a router to a neighbour; `no_port` if it is none.
  [[nodiscard]] virtual u32 port_to(RouterId from, RouterId to) const = 0;
  /// A router between two that are no neighbours, each of several with the same chance, at random.
  [[nodiscard]] virtual RouterId between(RouterId from, RouterId to, u64 bits) const = 0;
  /// Links of the shortest path.
  [[nodiscard]] u32 hops(RouterId from, RouterId to) const {
    return from == to ? 0 : port_to(from, to) != no_port ? 1 : 2;
  }

  [[nodiscard]] u32 nodes() const override { return routers() * nodes_per_router_; }
  [[nodiscard]] u32 ports(RouterId router) const override { return links_of(router) + nodes_per_router_; }
  [[nodiscard]] RouterId router_of(NodeId node) const override { return RouterId{node.value() / nodes_per_router_}; }
  [[nodiscard]] u32 port_of(NodeId node) const override {
    return links_of(router_of(node)) + node.value() % nodes_per_router_;
  }
  [[nodiscard]] bool direct() const override { return false; }
  [[nodiscard]] u32 nodes_at(RouterId /*router*/) const override { return nodes_per_router_; }
  [[nodiscard]] u32 work(RouterId router) const override { return ports(router); }
  [[nodiscard]] u32 group_nodes() const override { return nodes_per_router_; }
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override {
    return from == to ? 0 : 2 + hops(router_of(from), router_of(to));
  }
  [[nodiscard]] u32 diameter() const override { return 4; }

 protected:
  /// The node of a port behind those to other routers.
  [[nodiscard]] Peer node_at(RouterId router, u32 port) const {
    return {Peer::Kind::node, router.value() * nodes_per_router_ + port - links_of(router), 0};
  }

 private:
  u32 nodes_per_router_;
};

}  // namespace weft::models
