// Midimews: wiring, distances and records against search for every small number of nodes; closed forms.
#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> midimew(i64 nodes, bool one_way = false) {
  return made("midimew", {{"nodes", nodes}, {"unidirectional", one_way}});
}

TEST(Midimew, OfAnySizeIsWiredAndRoutedAsSearchSays) {
  for (i64 nodes = 2; nodes <= 61; ++nodes) {
    for (const bool one_way : {false, true}) {
      const auto net = midimew(nodes, one_way);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_minimal_records(*net);
      expect_one_border_a_ring(*net);
    }
  }
  for (const i64 nodes : {112, 113, 128, 163}) expect_true_distances(*midimew(nodes, true));
  for (const i64 nodes : {112, 113, 114, 128, 145, 162, 163}) expect_true_distances(*midimew(nodes));
}

TEST(Midimew, HasTheMeanDistancesOfThePublishedSimulator) {
  EXPECT_NEAR(midimew(128)->mean_distance(), 5.35, 0.01);
  EXPECT_NEAR(midimew(300)->mean_distance(), 8.16, 0.03);
  EXPECT_DOUBLE_EQ(midimew(128)->mean_distance(), 680.0 / 127);
  EXPECT_EQ(midimew(128)->diameter(), 8U);
}

TEST(Midimew, GoesUpHalfWayRoundIfTheDestinationIsHigher) {
  const auto net = midimew(128);
  const auto& lattice = dynamic_cast<const Lattice&>(*net);
  EXPECT_EQ(lattice.record(NodeId{0}, NodeId{64}, 0)[0], 8);
  EXPECT_EQ(lattice.record(NodeId{64}, NodeId{0}, 0)[0], -8);
}

TEST(Midimew, RefusesNetworksOfOneNode) {
  EXPECT_EQ(error_of("midimew", {{"nodes", i64{1}}}),
            "topology.nodes = 1 is not possible (a midimew has 2 to 2147483648 of them); use nodes = 2");
  EXPECT_EQ(error_of("midimew", {}), "topology.nodes is missing (a midimew needs it); use e.g. nodes = 128");
}

}  // namespace
}  // namespace weft::models::testing
