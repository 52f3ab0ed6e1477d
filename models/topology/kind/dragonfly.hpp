// Dragonflies (Kim, Dally, Scott, Abts, ISCA 2008): groups of routers that are joined all to all, and groups joined
// all to all.
#pragma once

#include <mutex>
#include <vector>

#include "models/topology/global_links.hpp"

namespace weft::models {

/// G groups of a routers, each with p nodes, a link to each other router of its group, and h links to other groups.
/// Router r is number r mod a of group r / a; node n is at router n / p. Ports of a router: a - 1 local ones, to the
/// routers of its group by number, itself left out; h global ones; p nodes. The global ports of a group are counted
/// from its first router on: number * h + (port - (a - 1)), and joined as GlobalLinks says. Links between groups are of
/// the class "global".
class Dragonfly : public Topology {
 public:
  using Arrangement = GlobalLinks::Arrangement;
  struct Shape {
    u32 nodes_per_router, routers_per_group, global_links, groups;
    Arrangement arrangement;
  };
  /// A link between two groups, by the number of the router in its group and the port of that router at either end.
  struct GlobalLink {
    u32 from_number, from_port, to_number, to_port;
  };

  explicit Dragonfly(const Shape& shape)
      : shape_(shape), links_(shape.groups, shape.routers_per_group * shape.global_links, shape.arrangement) {}

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] u32 groups() const { return shape_.groups; }
  [[nodiscard]] u32 group(RouterId router) const { return router.value() / shape_.routers_per_group; }
  [[nodiscard]] u32 number(RouterId router) const { return router.value() % shape_.routers_per_group; }
  [[nodiscard]] RouterId router(u32 group, u32 number) const {
    return RouterId{group * shape_.routers_per_group + number};
  }
  /// Port from one router of a group to another, by their numbers.
  [[nodiscard]] static u32 local_port(u32 from, u32 to) { return to < from ? to : to - 1; }
  [[nodiscard]] u32 first_global_port() const { return shape_.routers_per_group - 1; }
  [[nodiscard]] u32 first_node_port() const { return first_global_port() + shape_.global_links; }
  /// Links between any two groups.
  [[nodiscard]] u32 links_between() const { return links_.links_between(); }
  /// The link from one group to another, of several the l-th.
  [[nodiscard]] GlobalLink global_link(u32 from, u32 to, u32 l = 0) const;

  [[nodiscard]] u32 nodes() const override { return routers() * shape_.nodes_per_router; }
  [[nodiscard]] u32 routers() const override { return shape_.groups * shape_.routers_per_group; }
  [[nodiscard]] u32 ports(RouterId /*router*/) const override { return first_node_port() + shape_.nodes_per_router; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override {
    return RouterId{node.value() / shape_.nodes_per_router};
  }
  [[nodiscard]] u32 port_of(NodeId node) const override {
    return first_node_port() + node.value() % shape_.nodes_per_router;
  }
  [[nodiscard]] bool direct() const override { return false; }
  [[nodiscard]] u32 nodes_at(RouterId /*router*/) const override { return shape_.nodes_per_router; }
  [[nodiscard]] u32 kind_ports(u32 /*kind*/) const override { return ports(RouterId{0}); }
  [[nodiscard]] u32 work(RouterId /*router*/) const override { return ports(RouterId{0}); }
  [[nodiscard]] std::vector<std::string> link_classes() const override { return {"link", "node", "global"}; }
  [[nodiscard]] u32 link_class(RouterId /*router*/, u32 port) const override {
    constexpr u32 local = 0, global = 2;
    return port < first_global_port() ? local : port < first_node_port() ? global : node_link_class();
  }

  [[nodiscard]] u32 group_nodes() const override { return shape_.routers_per_group * shape_.nodes_per_router; }

  /// Distance on routes over one link between groups at most, as dragonflies are routed; over two it may be shorter.
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override;
  [[nodiscard]] u32 diameter() const override;
  [[nodiscard]] double mean_distance() const override;
  /// Bound of routes over one link between groups at most: what these links carry, and those inside groups.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override {
    return group_partition(shape_.groups, shape_.routers_per_group, parts);
  }

 private:
  /// Hops between all ordered pairs of routers of different groups.
  struct Hops {
    u64 sum = 0;
    u32 most = 0;
  };
  [[nodiscard]] const Hops& hops_between_groups() const;
  [[nodiscard]] u32 router_distance(RouterId from, RouterId to) const;
  [[nodiscard]] u32 nearer_over_two_global_links() const;

  Shape shape_;
  GlobalLinks links_;
  mutable std::once_flag once_;
  mutable Hops hops_;
};

}  // namespace weft::models
