// King tori and meshes: wiring, distances and records against search; moves of the king; closed forms.
#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> king(const std::string& kind, i64 x, i64 y) { return made(kind, {{"dims", Ints{x, y}}}); }

TEST(King, IsWiredAndRoutedAsSearchSays) {
  for (const std::string kind : {"king-torus", "king-mesh"}) {
    for (const auto& [x, y] :
         std::vector<std::pair<i64, i64>>{{8, 8}, {5, 4}, {7, 3}, {2, 2}, {2, 9}, {3, 3}, {12, 3}, {6, 9}}) {
      const auto net = king(kind, x, y);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_minimal_records(*net);
      if (kind == "king-torus") expect_one_border_a_ring(*net);
    }
  }
}

TEST(King, MovesInEightDirections) {
  const auto net = king("king-torus", 8, 6);
  const u32 at = 2 + 8 * 3;
  const std::vector<u32> far{3 + 8 * 3, 1 + 8 * 3, 2 + 8 * 4, 2 + 8 * 2, 3 + 8 * 4, 1 + 8 * 2, 3 + 8 * 2, 1 + 8 * 4};
  for (u32 port = 0; port < 8; ++port) EXPECT_EQ(net->peer(RouterId{at}, port).id, far[port]) << port;
  EXPECT_EQ(net->port_name(RouterId{0}, 7), "antidiagonal-");
  const auto mesh = king("king-mesh", 8, 6);
  u32 links = 0;
  for (u32 port = 0; port < 8; ++port) links += mesh->peer(RouterId{0}, port).kind == Peer::Kind::router ? 1 : 0;
  EXPECT_EQ(links, 3U);  // a corner
  EXPECT_EQ(mesh->router_links(), 7U * 6 + 8 * 5 + 2 * 7 * 5);
}

TEST(King, OfASquareTorusHasTheMeanOfTheLongerOfTwoOffsets) {
  // (2d + 1)^2 - (2d - 1)^2 = 8d nodes at each distance d below the half, k^2 - (k - 1)^2 = 2k - 1 at the half: 15.
  EXPECT_DOUBLE_EQ(king("king-torus", 8, 8)->mean_distance(), (8 + 2 * 16 + 3 * 24 + 4 * 15) / 63.0);
  EXPECT_EQ(king("king-torus", 8, 8)->diameter(), 4U);
  EXPECT_EQ(king("king-mesh", 8, 8)->diameter(), 7U);
}

TEST(King, RefusesLines) {
  EXPECT_EQ(error_of("king-torus", {{"dims", Ints{1, 6}}}),
            "topology.dims = 1x6 is not possible (a king network has at least 2 routers in each dimension); use kind = "
            "\"torus\" or \"mesh\"");
}

}  // namespace
}  // namespace weft::models::testing
