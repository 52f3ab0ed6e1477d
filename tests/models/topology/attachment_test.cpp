// Where NICs are: every node of the topology is one NIC of one compute node; rails are what they are called.
#include "models/topology/attachment.hpp"

#include <gtest/gtest.h>
#include <set>

#include "models/topology/planes.hpp"
#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models::testing {
namespace {

/// Every node of the topology is in use once.
void expect_a_place_for_all(const Topology& topology, const Attachment& attachment) {
  std::set<u32> used;
  for (u32 node = 0; node < attachment.nodes(); ++node) {
    for (u32 nic = 0; nic < attachment.nics(); ++nic) {
      const NodeId endpoint = attachment.endpoint(node, nic);
      EXPECT_LT(endpoint.value(), topology.nodes());
      EXPECT_TRUE(used.insert(endpoint.value()).second) << node << " " << nic;
      EXPECT_EQ(endpoint.value(), attachment.home(node).value() + attachment.offset(nic));
      EXPECT_EQ(endpoint.value() / topology.plane().nodes(), nic % topology.planes());
    }
  }
  EXPECT_EQ(used.size(), topology.nodes());
}

TEST(Attachment, GivesEveryNodeOfTheTopologyToOneNic) {
  for (const u32 planes : {1U, 2U, 4U}) {
    const auto topology = with_planes(make_tree(4, 4, 3), planes);
    for (const u32 in_plane : {1U, 2U, 4U, 8U}) {
      for (const u32 row : {1U, 4U}) expect_a_place_for_all(*topology, Attachment(*topology, planes * in_plane, row));
    }
  }
}

TEST(Attachment, PutsNicsOfOneNumberOnOneLeafOfRails) {
  const auto tree = make_tree(4, 4, 3);
  ASSERT_EQ(nodes_of_leaf(*tree), 4U);
  const Attachment rails(*tree, 2, 4);
  EXPECT_EQ(rails.nodes(), 32U);
  for (u32 node = 0; node < rails.nodes(); ++node) {
    for (u32 nic = 0; nic < 2; ++nic) {
      const u32 leaf = tree->router_of(rails.endpoint(node, nic)).value();
      EXPECT_EQ(leaf, tree->router_of(NodeId((node / 4 * 2 + nic) * 4)).value());
    }
  }
  const Attachment adjacent(*tree, 2, 1);
  for (u32 node = 0; node < adjacent.nodes(); ++node)
    EXPECT_EQ(tree->router_of(adjacent.endpoint(node, 0)), tree->router_of(adjacent.endpoint(node, 1)));
}

TEST(Attachment, GroupsTheRoutersOfANode) {
  const auto tree = make_tree(4, 4, 3);
  const Attachment rails(*tree, 2, 4);
  const std::vector<u32> groups = rails.groups(*tree);
  for (u32 node = 0; node < rails.nodes(); ++node)
    EXPECT_EQ(groups[tree->router_of(rails.home(node)).value()],
              groups[tree->router_of(rails.endpoint(node, 1)).value()]);
  // 8 pairs of leaf switches, and 32 other routers by themselves.
  EXPECT_EQ(std::set<u32>(groups.begin(), groups.end()).size(), 8U + 32U);
  const auto planes = with_planes(make_cube("torus", {4, 4}), 3);
  const std::vector<u32> of_planes = Attachment(*planes, 3, 1).groups(*planes);
  for (u32 router = 0; router < planes->routers(); ++router) EXPECT_EQ(of_planes[router], router % 16);
}

TEST(Attachment, SaysWhichNodeAPartitionTears) {
  const auto torus = make_cube("torus", {4, 4});
  const Attachment attachment(*torus, 4, 1);
  EXPECT_FALSE(attachment.torn(*torus, [](u32 router) { return router / 8; }));
  EXPECT_EQ(attachment.torn(*torus, [](u32 router) { return router == 6 ? 1U : 0U; }), 1U);
  EXPECT_FALSE(Attachment(*torus).torn(*torus, [](u32 router) { return router; }));
}

TEST(NodesOfLeaf, AreEquallyManyOnAllOrNone) {
  EXPECT_EQ(nodes_of_leaf(*make_cube("torus", {4, 4})), 1U);
  EXPECT_EQ(
      nodes_of_leaf(*make_topology(
          {"pgft",
           {{"m", std::vector<i64>{3, 2}}, {"w", std::vector<i64>{1, 2}}, {"parallel", std::vector<i64>{1, 1}}}})),
      3U);
}

}  // namespace
}  // namespace weft::models::testing
