// Trees of switches that combine: in every kind of network they join their members, each once, under one root.
#include "models/machine/cells/reduction_tree.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::cells {
namespace {

using Tree = std::vector<TreeSwitch>;

ReductionGroup group_of(const Topology& topology, u32 stride, u32 channels) {
  ReductionGroup group;
  for (u32 node = 0; node < topology.nodes(); node += stride) {
    group.members.push_back({node, 0});
    group.members.push_back({node, 1});
  }
  group.channels = channels;
  return group;
}

/// [switch of the tree] the one above it, or none for the root. Every link is told from both of its ends.
std::map<u32, std::optional<u32>> above(const Topology& topology, const Tree& tree) {
  std::map<u32, std::optional<u32>> parents;
  std::map<u32, std::set<u32>> children;
  for (const TreeSwitch& at : tree) {
    std::optional<u32> parent;
    if (at.parent != TreeSwitch::no_port) parent = topology.peer(RouterId(at.router), at.parent).id;
    EXPECT_TRUE(parents.emplace(at.router, parent).second);
    for (const TreeChild& child : at.children) {
      if (child.node != TreeChild::no_node) continue;
      const Peer far = topology.peer(RouterId(at.router), child.port);
      EXPECT_EQ(far.kind, Peer::Kind::router);
      EXPECT_TRUE(children[at.router].insert(far.id).second);
    }
  }
  for (const TreeSwitch& at : tree) {
    if (!parents[at.router]) continue;
    EXPECT_TRUE(children[*parents[at.router]].contains(at.router));
    const Peer up = topology.peer(RouterId(at.router), at.parent);
    EXPECT_EQ(topology.peer(RouterId(up.id), up.port).id, at.router);
  }
  std::size_t links = 0;
  for (const auto& [router, below] : children) links += below.size();
  EXPECT_EQ(links, tree.size() - 1);
  return parents;
}

u32 depth(const std::map<u32, std::optional<u32>>& parents, u32 router) {
  u32 links = 0;
  while (const std::optional<u32> parent = parents.at(router)) {
    router = *parent;
    if (++links > parents.size()) break;
  }
  return links;
}

void expect_joined(const Topology& topology, const ReductionGroup& group, const Tree& tree) {
  const auto parents = above(topology, tree);
  u32 roots = 0;
  std::multiset<std::pair<u32, u32>> members;
  for (const TreeSwitch& at : tree) {
    roots += at.parent == TreeSwitch::no_port ? 1 : 0;
    EXPECT_LT(depth(parents, at.router), tree.size());
    EXPECT_GE(at.children.size(), 1U);
    for (const TreeChild& child : at.children) {
      if (child.node == TreeChild::no_node) continue;
      members.emplace(child.node, child.target);
      EXPECT_EQ(topology.router_of(NodeId(child.node)).value(), at.router);
    }
    if (at.parent == TreeSwitch::no_port) {
      EXPECT_TRUE(at.children.size() > 1 || tree.size() == 1);
    }
  }
  EXPECT_EQ(roots, 1U);
  EXPECT_EQ(members.size(), group.members.size());
  for (const auto& [node, target] : group.members) EXPECT_EQ(members.count({node, target}), 1U);
}

std::unique_ptr<Topology> network(const std::string& kind, const Parameters& keys) {
  return make_topology({kind, keys});
}

TEST(ReductionTree, JoinsItsMembersInEveryKindOfNetwork) {
  u32 networks = 0;
  for (const std::string& name : TopologyRegistry::instance().names()) {
    const auto topology = network(name, TopologyRegistry::instance().find(name)->example);
    if (topology->joins_all()) continue;
    for (const u32 stride : {1U, 3U}) {
      const ReductionGroup group = group_of(*topology, stride, 3);
      if (topology->one_way()) {
        EXPECT_THROW((void)reduction_trees(*topology, {group}), ConfigError) << name;
        continue;
      }
      SCOPED_TRACE(name);
      const auto trees = reduction_trees(*topology, {group, group});
      ASSERT_EQ(trees.size(), 6U);
      for (const Tree& tree : trees) expect_joined(*topology, group, tree);
      ++networks;
    }
  }
  EXPECT_GT(networks, 20U);
}

TEST(ReductionTree, HasTheLowestRootThatThereIs) {
  const auto topology = make_topology({"pgft", TopologyRegistry::instance().find("pgft")->example});
  for (u32 node = 1; node < topology->nodes(); ++node) {
    ReductionGroup group;
    group.members = {{0, 0}, {node, 0}};
    const auto trees = reduction_trees(*topology, {group});
    const auto parents = above(*topology, trees.front());
    const u32 links = depth(parents, topology->router_of(NodeId(0)).value()) +
                      depth(parents, topology->router_of(NodeId(node)).value());
    EXPECT_EQ(links + 2, topology->distance(NodeId(0), NodeId(node)));
  }
}

}  // namespace
}  // namespace weft::models::cells
