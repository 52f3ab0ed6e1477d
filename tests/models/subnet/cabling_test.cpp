// Cables in wrong places are found in trees, and none in trees as they should be.
#include "models/subnet/cabling.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "models/subnet/distances.hpp"
#include "tests/models/subnet/fabric_of.hpp"

namespace weft::models {
namespace {

using End = std::pair<u32, u32>;  // switch and port

/// The fabric with the far ends of cables (one end of each is given) exchanged pair by pair.
Subnet rewired(const Subnet& subnet, const std::vector<std::pair<End, End>>& exchanged) {
  Subnet made;
  for (u32 s = 0; s < subnet.switches(); ++s) made.add_switch(subnet.switch_at(s));
  for (u32 h = 0; h < subnet.hosts(); ++h) made.add_host(subnet.host_at(h));
  const auto far_end = [&](const End& end) {
    const Peer far = subnet.peer(end.first, end.second);
    return End{far.id, far.port};
  };
  for (const auto& [a, b] : exchanged) {
    const End far_a = far_end(a), far_b = far_end(b);
    EXPECT_TRUE(made.connect_switches(a.first, a.second, far_b.first, far_b.second));
    EXPECT_TRUE(made.connect_switches(b.first, b.second, far_a.first, far_a.second));
  }
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.peer(s, port);
      if (far.kind == Peer::Kind::node) made.connect_host(far.id, s, port);
      if (far.kind == Peer::Kind::router) made.connect_switches(s, port, far.id, far.port);
    }
  }
  return made;
}

/// Ports of a switch that lead to a higher level.
std::vector<u32> up_ports(const Subnet& subnet, u32 s) {
  const std::vector<u32> levels = tree_levels(subnet);
  std::vector<u32> ports;
  for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
    const Peer far = subnet.peer(s, port);
    if (far.kind == Peer::Kind::router && levels[far.id] > levels[s]) ports.push_back(port);
  }
  return ports;
}

TEST(CrossedCables, AreNoneInWholeTreesAndOtherNetworks) {
  for (const Subnet& subnet :
       {fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}}),
        fabric("thin-tree", {{"down", i64{4}}, {"up", i64{2}}, {"levels", i64{3}}}),
        fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{4}}, {"leaves", i64{6}}}),
        fabric("torus", {{"dims", std::vector<i64>{4, 4}}}),
        fabric("dragonfly", {{"nodes_per_router", i64{2}}, {"routers_per_group", i64{4}}, {"global_links", i64{2}}})}) {
    EXPECT_TRUE(crossed_cables(subnet, fabric_levels(subnet).level).empty());
    EXPECT_TRUE(cables_beyond_levels(subnet, fabric_levels(subnet).level).empty());
  }
}

TEST(CrossedCables, AreNamedWhereTwoLeavesOfDifferentPartsWereExchanged) {
  const Subnet tree = fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}});
  const std::vector<u32> levels = tree_levels(tree);
  std::vector<u32> leaves;
  for (u32 s = 0; s < tree.switches(); ++s) {
    if (levels[s] == 0) leaves.push_back(s);
  }
  const u32 one = leaves.front(), other = leaves.back();
  const End a{one, up_ports(tree, one)[1]}, b{other, up_ports(tree, other)[2]};
  const Subnet wrong = rewired(tree, {{a, b}});
  const std::vector<CrossedCables> found = crossed_cables(wrong, fabric_levels(wrong).level);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ((std::set<u32>{found[0].one, found[0].other}),
            (std::set<u32>{wrong.channel(a.first, a.second), wrong.channel(b.first, b.second)}));
}

TEST(CrossedCables, AreNamedWhereALeafHasTwoCablesToOneSpineAndAnotherNone) {
  const Subnet clos = fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{4}}, {"leaves", i64{8}}});
  const End a{0, up_ports(clos, 0)[0]}, b{5, up_ports(clos, 5)[3]};
  const Subnet wrong = rewired(clos, {{a, b}});
  const std::vector<CrossedCables> found = crossed_cables(wrong, fabric_levels(wrong).level);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(wrong.owner(found[0].one).id, 0U);
  EXPECT_EQ(wrong.owner(found[0].other).id, 5U);
}

TEST(CrossedCables, WithinALevelAreNamed) {
  const Subnet tree = fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}});
  const std::vector<u32> levels = tree_levels(tree);
  u32 leaf = 0;
  while (levels[leaf] != 0) ++leaf;
  // The end of one cable at a leaf and the upper end of another one: leaf with leaf, and spine with spine.
  const u32 second = leaf + 1;
  ASSERT_EQ(levels[second], 0U);
  const Peer above = tree.peer(second, up_ports(tree, second)[1]);
  const Subnet wrong = rewired(tree, {{End{leaf, up_ports(tree, leaf)[0]}, End{above.id, above.port}}});
  const std::vector<CableBeyondLevels> found = cables_beyond_levels(wrong, fabric_levels(wrong).level);
  ASSERT_EQ(found.size(), 2U);
  for (const CableBeyondLevels& cable : found) EXPECT_EQ(cable.from, cable.to);
}

TEST(CablesBeyondLevels, FromALeafToTheTopLeaveTheLevelsAsTheyAre) {
  const Subnet tree = fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}});
  const std::vector<u32> levels = tree_levels(tree);
  u32 leaf = 0, middle = 0;
  while (levels[leaf] != 0) ++leaf;
  const u32 above = tree.peer(leaf, up_ports(tree, leaf)[0]).id;
  while (levels[middle] != 1 || middle == above) ++middle;
  // A cable of the leaf exchanged with one between the middle and the top: leaf with top, and two of the middle.
  const Subnet wrong = rewired(tree, {{End{leaf, up_ports(tree, leaf)[0]}, End{middle, up_ports(tree, middle)[1]}}});
  const std::vector<u32> found = fabric_levels(wrong).level;
  EXPECT_EQ(found, levels);
  const std::vector<CableBeyondLevels> beyond = cables_beyond_levels(wrong, found);
  ASSERT_EQ(beyond.size(), 2U);
  const std::set<u32> steps{
      beyond[0].to > beyond[0].from ? beyond[0].to - beyond[0].from : beyond[0].from - beyond[0].to,
      beyond[1].to > beyond[1].from ? beyond[1].to - beyond[1].from : beyond[1].from - beyond[1].to};
  EXPECT_EQ(steps, (std::set<u32>{0, 2}));
  const std::vector<CrossedCables> crossed = crossed_cables(wrong, found);
  ASSERT_EQ(crossed.size(), 1U);
  EXPECT_TRUE(crossed[0].by_levels);
  EXPECT_TRUE(missing_cables(wrong, found).empty()) << "they are there, but lead elsewhere";
}

}  // namespace
}  // namespace weft::models
