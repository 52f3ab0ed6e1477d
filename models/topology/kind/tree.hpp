// Trees of switches wired by arithmetic: what k-ary n-trees, thin trees, XGFTs and Clos networks share.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/kind/fat_tree.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {

/// A fat tree by TreeMath, with closed forms of distances and loads.
class Tree : public FatTree {
 public:
  /// `radix`: ports of the switches as bought, unplugged ones included.
  Tree(TreeGeometry geometry, std::string name, u64 radix)
      : FatTree(std::move(geometry)), math_(this->geometry()), name_(std::move(name)), radix_(radix) {}

  [[nodiscard]] u32 nodes() const override { return math_.nodes(); }
  [[nodiscard]] u32 routers() const override { return math_.switches(); }
  [[nodiscard]] u32 ports(RouterId router) const override {
    const u32 level = math_.place(router).level;
    return math_.up_ports(level) + math_.down_ports(level);
  }

  [[nodiscard]] Peer peer(RouterId router, u32 port) const override {
    WEFT_ASSERT(router.value() < routers() && port < ports(router));
    const TreeMath::Place at = math_.place(router);
    const u32 ups = math_.up_ports(at.level);
    if (port < ups) {
      const u32 digit = at.subtree % math_.down_ports(at.level + 1);
      return {Peer::Kind::router, math_.id(math_.parent(at, port)).value(), math_.up_ports(at.level + 1) + digit};
    }
    const u32 digit = port - ups;
    if (at.level == 0) return {Peer::Kind::node, at.subtree * math_.down_ports(0) + digit, 0};
    return {Peer::Kind::router, math_.id(math_.child(at, digit)).value(), at.index / math_.tops(at.level - 1)};
  }

  [[nodiscard]] RouterId router_of(NodeId node) const override { return math_.id({0, math_.subtree_of(node, 0), 0}); }
  [[nodiscard]] u32 port_of(NodeId node) const override { return math_.down_port(0, node); }
  [[nodiscard]] u32 kind(RouterId router) const override { return math_.place(router).level; }

  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override {
    return from == to ? 0 : 2 * (math_.meeting_level(from, to) + 1);
  }
  [[nodiscard]] u32 diameter() const override { return distance(NodeId{0}, NodeId{nodes() - 1}); }

  [[nodiscard]] double mean_distance() const override {
    double sum = 0;
    for (u32 level = 0; level < math_.levels(); ++level) {
      const u32 nearer = level == 0 ? 1 : math_.nodes_below(level - 1);
      sum += 2.0 * (level + 1) * (math_.nodes_below(level) - nearer);
    }
    return sum / (nodes() - 1.0);
  }

  /// A subtree of M nodes sends the share (N-M)/(N-1) of its traffic up, over as many links as switches top its parent.
  [[nodiscard]] double uniform_load_bound() const override {
    double bound = 1.0;
    for (u32 level = 0; level + 1 < math_.levels(); ++level) {
      const double below = math_.nodes_below(level), all = nodes();
      if (below < all) bound = std::min(bound, math_.tops(level + 1) / below * (all - 1) / (all - below));
    }
    return bound;
  }

  [[nodiscard]] u64 router_links() const override {
    u64 links = 0;
    for (u32 level = 0; level < math_.levels(); ++level) links += u64{math_.switches_at(level)} * math_.up_ports(level);
    return links;
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;

 private:
  /// Least ratio of up links to nodes of a subtree; (k'/k)^(n-1) in a k:k',n-tree.
  [[nodiscard]] double ideal_throughput() const {
    double ratio = 1.0;
    for (u32 level = 0; level + 1 < math_.levels(); ++level) {
      ratio = std::min(ratio, static_cast<double>(math_.tops(level + 1)) / math_.nodes_below(level));
    }
    return ratio;
  }

  TreeMath math_;
  std::string name_;
  u64 radix_;
};

}  // namespace weft::models
