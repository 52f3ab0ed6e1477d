// Twisted tori: wiring, distances and records against search; closed forms; which of several routes are drawn.
#include <map>

#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> twisted(Ints dims, Ints twist, bool one_way = false) {
  return made("twisted-torus", {{"dims", std::move(dims)}, {"twist", std::move(twist)}, {"unidirectional", one_way}});
}

TEST(TwistedTorus, IsWiredAndRoutedAsSearchSays) {
  const std::vector<std::pair<Ints, Ints>> shapes{{{16, 8}, {8}},
                                                  {{8, 8}, {4}},
                                                  {{8, 4}, {4}},
                                                  {{7, 5}, {3}},
                                                  {{4, 8}, {0, 1, 4}},
                                                  {{9, 4}, {-2}},
                                                  {{16, 4}, {5}},
                                                  {{20, 2}, {7}},
                                                  {{24, 1}, {5}},
                                                  {{3, 3}, {0}},
                                                  {{2, 2}, {1}},
                                                  {{1, 6}, {1}},
                                                  {{4, 4, 2}, {1, 0, 2}},
                                                  {{3, 4, 5}, {0, 2, 2}},
                                                  {{8, 4, 4}, {1, 0, 4, 2, 0, 4}},
                                                  {{4, 6, 3}, {0, 1, 2, 2, 1, 3}}};
  for (const auto& [dims, twist] : shapes) {
    for (const bool one_way : {false, true}) {
      const auto net = twisted(dims, twist, one_way);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_minimal_records(*net);
    }
  }
}

TEST(TwistedTorus, ShiftsWhoLeavesTheTopUpAndWhoLeavesTheBottomDown) {
  const auto net = twisted({16, 8}, {8});
  EXPECT_EQ(net->peer(RouterId{3 + 16 * 7}, 2).id, 11U);
  EXPECT_EQ(net->peer(RouterId{3}, 3).id, 11U + 16 * 7);
  const auto skew = twisted({9, 4}, {2});
  EXPECT_EQ(skew->peer(RouterId{3 + 9 * 3}, 2).id, 5U);
  EXPECT_EQ(skew->peer(RouterId{1}, 3).id, 8U + 9 * 3);
}

TEST(TwistedTorus, HasTheClosedFormsOfTheBalancedOne) {
  EXPECT_DOUBLE_EQ(twisted({16, 8}, {8})->mean_distance(), 680.0 / 127);
  EXPECT_EQ(twisted({16, 8}, {8})->diameter(), 8U);
  EXPECT_EQ(twisted({16, 8}, {8})->name(), "16x8 twisted torus 1>0 8");
}

TEST(TwistedTorus, HasTheMeanDistancesOfThePublishedSimulator) {
  EXPECT_NEAR(twisted({16, 8}, {8})->mean_distance(), 5.35, 0.03);
  EXPECT_NEAR(twisted({8, 8}, {4})->mean_distance(), 3.86, 0.03);
  EXPECT_NEAR(twisted({8, 4, 4}, {1, 0, 4, 2, 0, 4})->mean_distance(), 3.47, 0.03);
}

TEST(TwistedTorus, DrawsEquallyShortRoutesByLot) {
  const auto net = twisted({16, 8}, {8});
  const auto& lattice = dynamic_cast<const Lattice&>(*net);
  // 8 along x, either way, or 8 round y, downwards only.
  std::map<std::pair<i32, i32>, u32> drawn;
  for (u64 trial = 0; trial < 4000; ++trial) {
    const auto hops = lattice.record(NodeId{0}, NodeId{8}, engine::remix(7, trial));
    ++drawn[{hops[0], hops[1]}];
  }
  EXPECT_EQ(drawn.size(), 3U);
  EXPECT_NEAR((drawn[{0, -8}]), 2000, 150);
  EXPECT_NEAR((drawn[{8, 0}]), 1000, 120);
  EXPECT_NEAR((drawn[{-8, 0}]), 1000, 120);
}

TEST(TwistedTorus, RefusesTwistsThatLeadNowhere) {
  const auto error = [](Ints dims, Ints twist) {
    return error_of("twisted-torus", {{"dims", std::move(dims)}, {"twist", std::move(twist)}});
  };
  EXPECT_EQ(error({8}, {4}),
            "topology.dims = [8] is not possible (a twisted torus has 2 or 3 dimensions); use dims = [8, 8]");
  EXPECT_EQ(error({8, 4, 4}, {4}),
            "topology.twist = [4] is not possible (twists are triples [from dimension, to dimension, amount]); "
            "use twist = [1, 0, 4, 2, 0, 4]");
  EXPECT_NE(error({8, 4}, {2, 0, 4}).find("dimensions are 0 to 1); use twist = [4]"), std::string::npos);
  EXPECT_NE(error({8, 4}, {1, 1, 4}).find("from one dimension into another"), std::string::npos);
  EXPECT_NE(error({8, 4, 4}, {1, 0, 4, 0, 2, 1}).find("into the same dimension"), std::string::npos);
  EXPECT_NE(error({8, 4, 4}, {1, 0, 4, 1, 0, 1}).find("twisted twice"), std::string::npos);
  EXPECT_NE(error({8, 4}, {}).find("topology.twist is missing"), std::string::npos);
  EXPECT_EQ(error_of("twisted-torus", {}).find("topology.dims is missing"), 0U);
}

}  // namespace
}  // namespace weft::models::testing
