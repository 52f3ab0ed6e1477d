// L-networks: wiring, distances and records against search; the networks that are special cases of them.
#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> l_network(Ints vectors, bool one_way = false) {
  return made("l-network", {{"vectors", std::move(vectors)}, {"unidirectional", one_way}});
}

/// Nodes at each distance from one: the same for networks that are the same graph.
std::vector<u32> nodes_by_distance(const Topology& net) {
  std::vector<u32> nodes(net.diameter() + 1);
  for (const u32 hops : hops_from(net, 0)) ++nodes[hops];
  return nodes;
}

TEST(LNetwork, IsWiredAndRoutedAsSearchSays) {
  for (const Ints& vectors : std::vector<Ints>{{4, 3, -3, 4},
                                               {5, 2, -1, 4},
                                               {8, 0, 0, 6},
                                               {1, 7, 0, 13},
                                               {0, 5, 6, 0},
                                               {-7, 2, 3, -5},
                                               {12, 0, 5, 1},
                                               {3, 3, -3, 3},
                                               {2, 0, 0, 1}}) {
    for (const bool one_way : {false, true}) {
      const auto net = l_network(vectors, one_way);
      EXPECT_EQ(net->nodes(), static_cast<u32>(std::abs(vectors[0] * vectors[3] - vectors[1] * vectors[2])));
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_minimal_records(*net);
      expect_one_border_a_ring(*net);
    }
  }
}

TEST(LNetwork, BringsBackWhoGoesAlongItsVectors) {
  const Ints vectors{7, 3, -2, 5};
  const auto net = l_network(vectors);
  for (u32 start = 0; start < net->nodes(); ++start) {
    for (const u32 v : {0U, 1U}) {
      u32 at = start;
      for (const u32 d : {0U, 1U}) {
        const i64 way = vectors[2 * v + d];
        for (i64 hop = 0; hop < std::abs(way); ++hop) at = net->peer(RouterId{at}, 2 * d + (way > 0 ? 0U : 1U)).id;
      }
      EXPECT_EQ(at, start);
    }
  }
}

TEST(LNetwork, HasToriTwistedToriCirculantsAndMidimewsAmongIts) {
  EXPECT_EQ(nodes_by_distance(*l_network({8, 0, 0, 6})), nodes_by_distance(*made("torus", {{"dims", Ints{8, 6}}})));
  EXPECT_EQ(nodes_by_distance(*l_network({16, 0, -8, 8})),
            nodes_by_distance(*made("twisted-torus", {{"dims", Ints{16, 8}}, {"twist", Ints{8}}})));
  // x steps of 1 and y of 15 lead round 128 nodes: (15, -1) and (128, 0) lead nowhere.
  EXPECT_EQ(nodes_by_distance(*l_network({15, -1, 128, 0})),
            nodes_by_distance(*made("circulant", {{"nodes", i64{128}}, {"steps", Ints{1, 15}}})));
  // Steps 4 and 3 round 25 nodes: (3, -4) and (4, 3).
  EXPECT_EQ(nodes_by_distance(*l_network({3, -4, 4, 3})), nodes_by_distance(*made("midimew", {{"nodes", i64{25}}})));
}

TEST(LNetwork, IsTheTwistedTorusThatItNames) {
  // The determinant is 5 * 4 + 2 * 1 = 22, and sums of multiples of the vectors change y by multiples of gcd(2, 4) = 2:
  // 11 x 2 nodes. (5, 2) leads nowhere, so who leaves the top comes out 5 further back: 11 - 5 = 6 further on.
  const auto net = l_network({5, 2, -1, 4});
  EXPECT_EQ(net->facts()[0].second, "dims = [11, 2], twist = [6]");
  EXPECT_EQ(nodes_by_distance(*net),
            nodes_by_distance(*made("twisted-torus", {{"dims", Ints{11, 2}}, {"twist", Ints{6}}})));
}

TEST(LNetwork, RefusesVectorsThatAreNone) {
  EXPECT_EQ(
      error_of("l-network", {{"vectors", Ints{2, 1, 4, 2}}}),
      "topology.vectors = [2, 1, 4, 2] is not possible (the nodes are as many as the determinant says, 0; at least 2 "
      "are needed); use vectors = [4, 3, -3, 4]");
  EXPECT_EQ(
      error_of("l-network", {{"vectors", Ints{2, 1, 4}}}),
      "topology.vectors = [2, 1, 4] is not possible (two vectors have four coordinates: x, y, x, y); use vectors = [4, "
      "3, -3, 4]");
}

}  // namespace
}  // namespace weft::models::testing
