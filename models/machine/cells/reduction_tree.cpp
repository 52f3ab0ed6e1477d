// Levels of switches, roots that reach all members by links down, and the paths from members up to there.
#include "models/machine/cells/reduction_tree.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/random.hpp"

namespace weft::models::cells {
namespace {

constexpr u32 none = ~u32{0};

/// Where switches stand: by levels, links from the nodes, where all trees have a root above all their members; else in
/// one tree for each connected part of the network. Trees that go by one of the two never disagree on which way is up.
class Heights {
 public:
  explicit Heights(const Topology& topology) : topology_(topology), level_(topology.routers(), none) {
    std::vector<u32> reached;
    for (u32 router = 0; router < topology.routers(); ++router) {
      if (topology.nodes_at(RouterId(router)) == 0) continue;
      level_[router] = 0;
      reached.push_back(router);
    }
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for_links(reached[k], [&](u32 /*port*/, u32 far) {
        if (level_[far] != none) return;
        level_[far] = level_[reached[k]] + 1;
        reached.push_back(far);
      });
    }
  }

  /// Some of the lowest switches from which links down lead to all of `leaves`, so many at most: one after the other,
  /// from one on that `turn` says. Empty if there are none.
  [[nodiscard]] std::vector<u32> roots(const std::vector<u32>& leaves, u32 most, u64 turn) const {
    std::vector<u32> here{leaves.front()};
    while (!here.empty()) {
      std::vector<u32> found, above;
      for (std::size_t k = 0; k < here.size() && found.size() < most; ++k) {
        const u32 router = here[(turn + k) % here.size()];
        if (std::ranges::includes(below(router), leaves)) found.push_back(router);
        for_links(router, [&](u32 /*port*/, u32 far) {
          if (level_[far] == level_[router] + 1) above.push_back(far);
        });
      }
      if (!found.empty()) return found;
      sort(above);
      here = std::move(above);
    }
    return {};
  }

  /// All switches that links down lead to from a root, ascending; it among them.
  [[nodiscard]] std::vector<u32> below(u32 root) const {
    std::vector<u32> all, here{root};
    while (!here.empty()) {
      all.insert(all.end(), here.begin(), here.end());
      std::vector<u32> next;
      for (const u32 router : here) {
        for_links(router, [&](u32 /*port*/, u32 far) {
          if (level_[far] + 1 == level_[router]) next.push_back(far);
        });
      }
      sort(next);
      here = std::move(next);
    }
    sort(all);
    return all;
  }

  /// [switch] the port that leads one link nearer to the root, by levels: of those that do, one at random for each
  /// tree. Of a root and of what is not below it: none.
  [[nodiscard]] std::vector<u32> up_to(u32 root, u32 tree) const {
    std::vector<u32> up(topology_.routers(), none);
    const std::vector<u32> all = below(root);
    for (const u32 router : all) {
      std::vector<u32> ports;
      for_links(router, [&](u32 port, u32 far) {
        if (level_[far] == level_[router] + 1 && std::ranges::binary_search(all, far)) ports.push_back(port);
      });
      if (router == root) continue;
      up[router] = ports[engine::remix(u64{tree} << 32 | router, 0) % ports.size()];
    }
    return up;
  }

  /// [switch] the port by the fewest links to the first switch of its connected part, the root of its one tree; none
  /// at a root.
  [[nodiscard]] std::vector<u32> up_in_forest() const {
    std::vector<u32> up(topology_.routers(), none), reached;
    std::vector<bool> seen(topology_.routers(), false);
    for (u32 first = 0; first < topology_.routers(); ++first) {
      if (seen[first]) continue;
      seen[first] = true;
      reached = {first};
      for (std::size_t k = 0; k < reached.size(); ++k) {
        for_links(reached[k], [&](u32 port, u32 far) {
          if (seen[far]) return;
          seen[far] = true;
          up[far] = topology_.peer(RouterId(reached[k]), port).port;
          reached.push_back(far);
        });
      }
    }
    return up;
  }

 private:
  /// Calls f(port, far switch) for the links between switches.
  template <class F>
  void for_links(u32 router, F&& f) const {
    const u32 ports = topology_.ports(RouterId(router));
    for (u32 port = 0; port < ports; ++port) {
      const Peer peer = topology_.peer(RouterId(router), port);
      if (peer.kind == Peer::Kind::router) f(port, peer.id);
    }
  }
  static void sort(std::vector<u32>& all) {
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  const Topology& topology_;
  std::vector<u32> level_;
};

/// The part of a tree that joins members.
std::vector<TreeSwitch> tree_of(const Topology& topology, const ReductionGroup& group, const std::vector<u32>& up) {
  std::map<u32, TreeSwitch> all;
  for (const auto& [node, target] : group.members) {
    u32 router = topology.router_of(NodeId(node)).value();
    const u32 port = topology.direct() ? topology.ports(RouterId(router)) : topology.port_of(NodeId(node));
    bool there = all.contains(router);
    all[router].children.push_back({port, node, target});
    while (!there && up[router] != none) {
      const Peer above = topology.peer(RouterId(router), up[router]);
      all[router].parent = up[router];
      router = above.id;
      there = all.contains(router);
      all[router].children.push_back({.port = above.port});
    }
  }
  std::vector<TreeSwitch> tree;
  std::optional<u32> root;
  for (auto& [router, at] : all) {
    at.router = router;
    std::ranges::sort(at.children, {}, [](const TreeChild& child) { return std::pair(child.port, child.target); });
    if (at.parent != none) continue;
    if (root.has_value()) {
      throw ConfigError(
          fmt::format("no links join nodes {} and {}, which in-network reduction needs (they are in different parts "
                      "of {}); place the tasks in one of them, or use another workload.algorithm",
                      group.members.front().node, group.members.back().node, topology.name()));
    }
    root = router;
  }
  // What only leads to one switch is not needed.
  while (all[*root].children.size() == 1 && all[*root].children.front().node == TreeChild::no_node) {
    const u32 below = topology.peer(RouterId(*root), all[*root].children.front().port).id;
    all.erase(*root);
    all[below].parent = TreeSwitch::no_port;
    root = below;
  }
  for (auto& [router, at] : all) tree.push_back(std::move(at));
  return tree;
}

std::vector<u32> leaves_of(const Topology& topology, const ReductionGroup& group) {
  std::vector<u32> leaves;
  for (const auto& member : group.members) leaves.push_back(topology.router_of(NodeId(member.node)).value());
  std::ranges::sort(leaves);
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  return leaves;
}

}  // namespace

std::vector<std::vector<TreeSwitch>> reduction_trees(const Topology& topology,
                                                     const std::vector<ReductionGroup>& groups) {
  if (topology.one_way()) {
    throw ConfigError(
        fmt::format("in-network reduction needs links both ways, which {} has not; use another workload.algorithm",
                    topology.name()));
  }
  const Heights heights(topology);
  std::vector<std::vector<u32>> roots;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ReductionGroup& group = groups[g];
    roots.push_back(heights.roots(leaves_of(topology, group), group.channels, engine::remix(g, 1)));
  }
  const bool by_levels = std::ranges::none_of(roots, [](const auto& some) { return some.empty(); });
  const std::vector<u32> forest = by_levels ? std::vector<u32>() : heights.up_in_forest();
  std::vector<std::vector<TreeSwitch>> trees;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (u32 channel = 0; channel < groups[g].channels; ++channel) {
      const auto tree = static_cast<u32>(trees.size());
      const std::vector<u32> up = by_levels ? heights.up_to(roots[g][channel % roots[g].size()], tree) : forest;
      trees.push_back(tree_of(topology, groups[g], up));
    }
  }
  return trees;
}

}  // namespace weft::models::cells
