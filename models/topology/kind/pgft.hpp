// Fat trees with several links between a switch and each of its parents.
#pragma once

#include <string>
#include <vector>

#include "models/topology/kind/fat_tree.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {

/// Parallel ports generalised fat tree PGFT(h; m; w; p) (Zahavi, "D-Mod-K routing providing non-blocking traffic for
/// shift permutations on real life fat trees", Technion CCIT report 776, 2010) with w_1 = p_1 = 1: the XGFT of m and w
/// (TreeGeometry) in which a switch of level l has p links to each parent, p = `parallel(l)`. Ports: up ports first,
/// copy c of the link to parent u is port c * w + u; then down ports, copy c of the link to child digit d is port
/// up ports + c * m + d.
class Pgft : public FatTree {
 public:
  /// `parallel`: links between a switch of a level and each parent, [level]; that of the top level has no meaning.
  Pgft(TreeGeometry geometry, std::vector<u32> parallel, std::string name)
      : FatTree(std::move(geometry)), math_(this->geometry()), parallel_(std::move(parallel)), name_(std::move(name)) {
    parallel_.back() = 1;
  }

  [[nodiscard]] u32 parallel(u32 level) const override { return parallel_[level]; }
  [[nodiscard]] u32 nodes() const override { return math_.nodes(); }
  [[nodiscard]] u32 routers() const override { return math_.switches(); }
  [[nodiscard]] u32 ports(RouterId router) const override { return kind_ports(math_.place(router).level); }
  [[nodiscard]] u32 kind_ports(u32 level) const override {
    return up_ports(level) + math_.down_ports(level) * below(level);
  }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override { return math_.id({0, math_.subtree_of(node, 0), 0}); }
  [[nodiscard]] u32 port_of(NodeId node) const override { return up_ports(0) + node.value() % math_.down_ports(0); }
  [[nodiscard]] u32 kind(RouterId router) const override { return math_.place(router).level; }
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override {
    return from == to ? 0 : 2 * (math_.meeting_level(from, to) + 1);
  }
  [[nodiscard]] u32 diameter() const override { return distance(NodeId{0}, NodeId{nodes() - 1}); }
  [[nodiscard]] double mean_distance() const override;
  /// A subtree of M nodes sends the share (N-M)/(N-1) of its traffic up, over all its links to the next level.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override;
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;

 private:
  [[nodiscard]] u32 up_ports(u32 level) const { return math_.up_ports(level) * parallel_[level]; }
  /// Links between a switch of a level and each child.
  [[nodiscard]] u32 below(u32 level) const { return level == 0 ? 1 : parallel_[level - 1]; }

  TreeMath math_;
  std::vector<u32> parallel_;
  std::string name_;
};

}  // namespace weft::models
