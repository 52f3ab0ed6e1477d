// Circulants: wiring, distances and records against search, the borders of their rings, shapes that are refused.
#include <map>

#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> circulant(i64 nodes, Ints steps, bool one_way = false) {
  return made("circulant", {{"nodes", nodes}, {"steps", std::move(steps)}, {"unidirectional", one_way}});
}

TEST(Circulant, IsWiredAndRoutedAsSearchSays) {
  const std::vector<std::pair<i64, Ints>> shapes{
      {128, {1, 15}}, {128, {1, 47}}, {200, {1, 27}}, {50, {1, 9}},      {8, {1, 4}},         {7, {1, 3}},
      {2, {1}},       {12, {1}},      {30, {4, 7}},   {30, {6, 10, 15}}, {60, {1, 7, 16, 30}}};
  for (const auto& [nodes, steps] : shapes) {
    for (const bool one_way : {false, true}) {
      const auto net = circulant(nodes, steps, one_way);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_minimal_records(*net);
      expect_one_border_a_ring(*net);
    }
  }
}

TEST(Circulant, OfOneWayLinksGoesByQuotientAndRemainder) {
  const auto net = circulant(128, {1, 15}, true);
  // 8 rows of 15 and 8 more: y steps of 15 and x of 1 without going round, or round once more.
  for (u32 offset = 1; offset < 128; ++offset) {
    u32 fewest = ~u32{0};
    for (u32 round = 0; round < 16; ++round) {
      const u32 way = offset + 128 * round;
      fewest = std::min(fewest, way / 15 + way % 15);
    }
    EXPECT_EQ(net->distance(NodeId{100}, NodeId{(100 + offset) % 128}), fewest) << offset;
  }
  EXPECT_EQ(net->name(), "unidirectional circulant 128(1,15)");
  EXPECT_EQ(net->router_links(), 256U);
}

TEST(Circulant, IsMinimallyRoutedWhateverTheSecondStep) {
  for (i64 nodes = 4; nodes <= 70; nodes += 3) {
    for (i64 step = 2; step <= nodes / 2; ++step) expect_minimal_records(*circulant(nodes, {1, step}));
  }
}

TEST(Circulant, HasTheMeanDistancesOfThePublishedSimulator) {
  EXPECT_NEAR(circulant(128, {1, 15})->mean_distance(), 5.34, 0.03);
  EXPECT_NEAR(circulant(512, {1, 31})->mean_distance(), 10.68, 0.03);
  EXPECT_NEAR(circulant(128, {1, 47})->mean_distance(), 5.33, 0.03);  // 2a^2 nodes, step 2ka - 1: a = 8, k = 3
}

TEST(Circulant, HasTheDistancesOfTheBalancedTwistedTorusAtTwiceASquareOfNodes) {
  for (const i64 a : {3, 5, 8}) {
    const double mean = static_cast<double>(a * (4 * a * a - 1)) / static_cast<double>(3 * (2 * a * a - 1));
    EXPECT_DOUBLE_EQ(circulant(2 * a * a, {1, 2 * a - 1})->mean_distance(), mean);
    EXPECT_EQ(circulant(2 * a * a, {1, 2 * a - 1})->diameter(), static_cast<u32>(a));
  }
}

TEST(Circulant, DrawsEquallyShortRoutesByLot) {
  const auto net = circulant(128, {1, 16});
  std::map<i32, u32> drawn;
  for (u64 trial = 0; trial < 4000; ++trial) {
    ++drawn[dynamic_cast<const Lattice&>(*net).record(NodeId{5}, NodeId{13}, engine::remix(3, trial))[0]];
  }
  EXPECT_EQ(drawn.size(), 1U);  // 8 further on by steps of 1; 16 - 8 is one longer
  drawn.clear();
  for (u64 trial = 0; trial < 4000; ++trial) {
    ++drawn[dynamic_cast<const Lattice&>(*net).record(NodeId{5}, NodeId{69}, engine::remix(3, trial))[1]];
  }
  EXPECT_NEAR(drawn[4], 2000, 150);  // half-way round
  EXPECT_NEAR(drawn[-4], 2000, 150);
}

TEST(Circulant, RefusesStepsThatLeaveNodesOutOfReach) {
  const auto error = [](i64 nodes, Ints steps) {
    return error_of("circulant", {{"nodes", nodes}, {"steps", std::move(steps)}});
  };
  EXPECT_EQ(error(12, {2, 4}),
            "topology.steps = [2, 4] is not possible (the steps and the number of nodes have a common divisor: nodes "
            "are out of reach); use steps = [1, 4]");
  EXPECT_EQ(error(12, {1, 7}),
            "topology.steps = [1, 7] is not possible (steps are 1 to 6, half the nodes); use steps = [1, 6]");
  EXPECT_EQ(error(12, {6, 6, 1}),
            "topology.steps = [6, 6, 1] is not possible (two steps are the same); use steps = [6, 1, 2]");
  EXPECT_EQ(error(12, {3, 3}), "topology.steps = [3, 3] is not possible (two steps are the same); use steps = [3, 4]");
  EXPECT_NE(error(1, {1}).find("use nodes = 2"), std::string::npos);
  EXPECT_NE(error(12, {}).find("topology.steps is missing"), std::string::npos);
  EXPECT_EQ(error_of("circulant", {}).find("topology.nodes is missing"), 0U);
  for (const Ints& steps : {Ints{0, 0}, Ints{-3, 900}, Ints(20, 5), Ints{2, 2, 2}, Ints{4, 6, 2}}) {
    const std::string text = error(12, steps);
    EXPECT_NE(text.find("; use steps = ["), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace weft::models::testing
