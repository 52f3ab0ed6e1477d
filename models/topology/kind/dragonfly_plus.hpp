// Dragonflies+ (Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, HiPINEB 2017; megafly: Flajslik, Borch, Parker, ISC
// High Performance 2018): groups are trees of two levels, and groups are joined all to all by their spines.
#pragma once

#include "models/topology/global_links.hpp"

namespace weft::models {

/// G groups of l leaves, with p nodes each, and s spines, with h links to other groups each; between any leaf and any
/// spine of a group there are q links. Routers are numbered group by group, in a group the leaves first; node n is at
/// leaf number n / p mod l of group n / (p l). Ports of a leaf: q to each spine in turn, then p nodes; of a spine: q to
/// each leaf in turn, then h global ones. The global ports of a group are counted from its first spine on and joined as
/// GlobalLinks says. Links between groups are of the class "global".
/// Larger than others: it answers all that topologies are asked, and routings ask for its groups besides.
class DragonflyPlus final : public Topology {
 public:
  struct Shape {
    u32 nodes_per_router, leaves, spines, global_links, parallel_links, groups;
    GlobalLinks::Arrangement arrangement;
  };
  enum Kind : u32 { leaf_kind, spine_kind };

  explicit DragonflyPlus(const Shape& shape)
      : shape_(shape), links_(shape.groups, shape.spines * shape.global_links, shape.arrangement) {}

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] u32 groups() const { return shape_.groups; }
  [[nodiscard]] u32 group_routers() const { return shape_.leaves + shape_.spines; }
  [[nodiscard]] u32 group(RouterId router) const { return router.value() / group_routers(); }
  [[nodiscard]] u32 group_of(NodeId node) const { return node.value() / group_nodes(); }
  [[nodiscard]] bool is_leaf(RouterId router) const { return router.value() % group_routers() < shape_.leaves; }
  /// Number of a leaf among those of its group, or of a spine.
  [[nodiscard]] u32 number(RouterId router) const {
    const u32 in_group = router.value() % group_routers();
    return in_group < shape_.leaves ? in_group : in_group - shape_.leaves;
  }
  [[nodiscard]] RouterId leaf(u32 group, u32 number) const { return RouterId{group * group_routers() + number}; }
  [[nodiscard]] RouterId spine(u32 group, u32 number) const { return leaf(group, shape_.leaves + number); }
  /// Port of a leaf for the link-th of its links to a spine.
  [[nodiscard]] u32 up_port(u32 spine, u32 link) const { return spine * shape_.parallel_links + link; }
  /// Port of a spine for the link-th of its links to a leaf.
  [[nodiscard]] u32 down_port(u32 leaf, u32 link) const { return leaf * shape_.parallel_links + link; }
  /// The first node port of a leaf.
  [[nodiscard]] u32 first_node_port() const { return shape_.spines * shape_.parallel_links; }
  /// The first global port of a spine.
  [[nodiscard]] u32 first_global_port() const { return shape_.leaves * shape_.parallel_links; }
  [[nodiscard]] u32 links_between() const { return links_.links_between(); }
  /// A link to another group, by spine and its port.
  struct GlobalPort {
    u32 spine, port;
  };
  /// Where the l-th link from one group to another begins.
  [[nodiscard]] GlobalPort global_port(u32 from, u32 to, u32 l) const {
    const u32 port = links_.port(from, to, l);
    return {port / shape_.global_links, first_global_port() + port % shape_.global_links};
  }
  /// Which of the links between two groups a spine of the first has.
  [[nodiscard]] GlobalLinks::Range links_of_spine(u32 from, u32 to, u32 spine) const {
    return links_.links_at(from, to, spine * shape_.global_links, shape_.global_links);
  }

  [[nodiscard]] u32 nodes() const override { return shape_.groups * group_nodes(); }
  [[nodiscard]] u32 routers() const override { return shape_.groups * group_routers(); }
  [[nodiscard]] u32 ports(RouterId router) const override { return kind_ports(kind(router)); }
  [[nodiscard]] Peer peer(RouterId at, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override {
    return leaf(group_of(node), node.value() % group_nodes() / shape_.nodes_per_router);
  }
  [[nodiscard]] u32 port_of(NodeId node) const override {
    return first_node_port() + node.value() % shape_.nodes_per_router;
  }
  [[nodiscard]] bool direct() const override { return false; }
  [[nodiscard]] u32 nodes_at(RouterId router) const override { return is_leaf(router) ? shape_.nodes_per_router : 0; }
  [[nodiscard]] u32 kinds() const override { return 2; }
  [[nodiscard]] u32 kind(RouterId router) const override { return is_leaf(router) ? leaf_kind : spine_kind; }
  [[nodiscard]] u32 kind_ports(u32 kind) const override {
    return kind == leaf_kind ? first_node_port() + shape_.nodes_per_router : first_global_port() + shape_.global_links;
  }
  [[nodiscard]] u64 kind_routers(u32 kind) const override {
    return u64{shape_.groups} * (kind == leaf_kind ? shape_.leaves : shape_.spines);
  }
  [[nodiscard]] u32 work(RouterId router) const override { return ports(router); }
  [[nodiscard]] std::vector<std::string> link_classes() const override { return {"link", "node", "global"}; }
  [[nodiscard]] u32 link_class(RouterId router, u32 port) const override {
    constexpr u32 local = 0, global = 2;
    if (is_leaf(router)) return port < first_node_port() ? local : node_link_class();
    return port < first_global_port() ? local : global;
  }
  [[nodiscard]] u32 group_nodes() const override { return shape_.leaves * shape_.nodes_per_router; }

  /// Node links count: 2 at a leaf, 4 over a spine of the group, 5 to any other group. No path is shorter than those
  /// over one link between groups.
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override;
  [[nodiscard]] u32 diameter() const override { return 5; }
  [[nodiscard]] double mean_distance() const override;
  /// Bound of shortest routes: what the links between groups carry, and those from leaves to spines.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override {
    return group_partition(shape_.groups, group_routers(), parts);
  }

 private:
  Shape shape_;
  GlobalLinks links_;
};

}  // namespace weft::models
