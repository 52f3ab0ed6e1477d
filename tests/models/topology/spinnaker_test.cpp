// SpiNNaker's triangular torus: wiring, distances and records against search; which of several routes is taken.
#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> spinnaker(i64 x, i64 y, bool one_way = false) {
  return made("spinnaker", {{"dims", Ints{x, y}}, {"unidirectional", one_way}});
}

TEST(Spinnaker, IsWiredAndRoutedAsSearchSays) {
  for (const auto& [x, y] : std::vector<std::pair<i64, i64>>{
           {8, 8}, {5, 4}, {7, 3}, {2, 2}, {2, 9}, {1, 6}, {6, 1}, {12, 3}, {6, 9}, {11, 11}}) {
    for (const bool one_way : {false, true}) {
      const auto net = spinnaker(x, y, one_way);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_minimal_records(*net);
      expect_one_border_a_ring(*net);
    }
  }
}

TEST(Spinnaker, HasItsDiagonalAsThirdDimension) {
  const auto net = spinnaker(8, 6);
  EXPECT_EQ(net->peer(RouterId{2 + 8 * 3}, 4).id, 3U + 8 * 4);
  EXPECT_EQ(net->peer(RouterId{2 + 8 * 3}, 5).id, 1U + 8 * 2);
  EXPECT_EQ(net->peer(RouterId{7 + 8 * 5}, 4).id, 0U);
  EXPECT_EQ(net->port_name(RouterId{0}, 5), "diagonal-");
}

TEST(Spinnaker, HasTheMeanDistancesOfThePublishedSimulator) {
  EXPECT_NEAR(spinnaker(8, 8)->mean_distance(), 3.14, 0.03);
  EXPECT_NEAR(spinnaker(16, 16)->mean_distance(), 6.24, 0.03);
}

TEST(Spinnaker, OfASquareHasTheDiameterOfAHexagon) {
  for (const i64 side : {3, 4, 8, 11}) EXPECT_EQ(spinnaker(side, side)->diameter(), static_cast<u32>(2 * side / 3));
}

TEST(Spinnaker, TakesTheFirstOfItsShortestRoutes) {
  const auto net = spinnaker(8, 8);
  const auto record = [&](u32 from, u32 to) {
    const auto hops = dynamic_cast<const Lattice&>(*net).record(NodeId{from}, NodeId{to}, 12345);
    return Ints{hops[0], hops[1], hops[2]};
  };
  EXPECT_EQ(record(0, 4), (Ints{4, 0, 0}));          // half-way round: straight
  EXPECT_EQ(record(4, 0), (Ints{-4, 0, 0}));         // which is downwards from there
  EXPECT_EQ(record(0, 5 + 8 * 2), (Ints{3, 0, 2}));  // 5 links with the diagonal; round x it is 3 down and 2 up
  EXPECT_EQ(record(0, 7 + 8), (Ints{-1, 1, 0}));
  EXPECT_EQ(record(0, 6 + 8 * 7), (Ints{-1, 0, -1}));
}

TEST(Spinnaker, RefusesOtherThanTwoDimensions) {
  EXPECT_EQ(error_of("spinnaker", {{"dims", Ints{4, 4, 4}}}),
            "topology.dims = [4, 4, 4] is not possible (a triangular torus has 2 dimensions); use dims = [4, 4]");
  EXPECT_EQ(error_of("spinnaker", {{"dims", Ints{1, 1}}}),
            "topology.dims = [1, 1] is not possible (a network has at least 2 routers); use dims = [2, 1]");
  EXPECT_EQ(error_of("spinnaker", {}).find("topology.dims is missing"), 0U);
}

}  // namespace
}  // namespace weft::models::testing
