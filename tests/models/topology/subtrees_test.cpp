// Subtrees: closed forms of the links that they cut, shares of the nodes, when there are none.
#include "models/topology/subtrees.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "models/topology/kind/fat_tree.hpp"
#include "tests/models/topology/parts.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models::testing {
namespace {

/// Nodes of each part, [part].
std::vector<u32> nodes_of(const Topology& topology, const std::vector<u32>& part, u32 parts) {
  std::vector<u32> nodes(parts);
  for (u32 n = 0; n < topology.nodes(); ++n) ++nodes.at(part[topology.router_of(NodeId(n)).value()]);
  return nodes;
}

TEST(Subtrees, CutTheBisectionOfAFullTree) {
  // A k-ary n-tree has a bisection of k^n / 2 links, and no partition into halves cuts fewer.
  EXPECT_EQ(cut_links(*make_tree(8, 8, 3), subtree_partition({{8, 8, 8}, {8, 8, 0}}, 2)), 256U);
  EXPECT_EQ(cut_links(*make_tree(4, 4, 4), subtree_partition({{4, 4, 4, 4}, {4, 4, 4, 0}}, 2)), 128U);
  // One part for each of the k subtrees under the top: a top switch keeps one of its k links.
  EXPECT_EQ(cut_links(*make_tree(4, 4, 4), subtree_partition({{4, 4, 4, 4}, {4, 4, 4, 0}}, 4)), 64U * 3);
}

TEST(Subtrees, CutHalfOfWhatReachesTheTopOfAThinTree) {
  const auto net = make_tree(8, 4, 3);  // 4 * 4 switches at the top, of 8 links each
  EXPECT_EQ(cut_links(*net, subtree_partition(tree_geometry(*net), 2)), 16U * 4);
  EXPECT_EQ(cut_links(*net, subtree_partition(tree_geometry(*net), 8)), 16U * 7);
}

TEST(Subtrees, OfWhichEachHasTwoPartsAreCutAtTheirTopsToo) {
  // 8 parts, 4 subtrees: a switch at the top keeps 1 of 4 links; in each subtree of the middle level 4 switches have 4
  // links each, and half of them lead to the other part.
  const auto net = make_tree(4, 4, 3);
  EXPECT_EQ(cut_links(*net, subtree_partition(tree_geometry(*net), 8)), 16U * 3 + 4U * 4 * 2);
}

TEST(Subtrees, ShareNodesAndSwitchesOut) {
  for (const auto& net : {make_tree(4, 4, 3), make_tree(8, 4, 3), make_tree(5, 3, 3), make_tree(6, 1, 2)}) {
    const u32 leaves = net->nodes() / tree_geometry(*net).down[0], down = tree_geometry(*net).down[0];
    for (u32 parts = 1; parts <= leaves; ++parts) {
      const auto part = table(*net, subtree_partition(tree_geometry(*net), parts));
      ASSERT_EQ(part.size(), net->routers());
      const auto nodes = nodes_of(*net, part, parts), switches = sizes(part, parts);
      EXPECT_LE(*std::ranges::max_element(nodes) - *std::ranges::min_element(nodes), down) << net->name() << parts;
      EXPECT_GE(*std::ranges::min_element(switches), 1U) << net->name() << " in " << parts;
    }
    EXPECT_FALSE(subtree_partition(tree_geometry(*net), leaves + 1)) << net->name();
  }
}

TEST(Subtrees, OfOnePartAreWhole) {
  // 3 parts of a tree with 8 subtrees under the top: whatever lies in a subtree of one part is that part's.
  const auto net = make_tree(8, 8, 3);
  const auto part = table(*net, subtree_partition(tree_geometry(*net), 3));
  for (u32 subtree = 0; subtree < 8; ++subtree) {
    const u32 first = subtree * 8, last = first + 7;  // its leaf switches
    if (part[first] != part[last]) continue;
    for (u32 top = 0; top < 8; ++top) EXPECT_EQ(part[64 + subtree * 8 + top], part[first]) << "subtree " << subtree;
  }
}

}  // namespace
}  // namespace weft::models::testing
