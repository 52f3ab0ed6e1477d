// The orders in which tasks fill nodes: each policy on networks small enough to write its order down.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

using Numbers = std::vector<u32>;

Numbers order_of(const std::string& policy, const PlacementSpec& spec) {
  Numbers numbers;
  for (const NodeId node : fill_order(policy, spec)) numbers.push_back(node.value());
  return numbers;
}

PlacementSpec numbered(u32 nodes, u64 seed = 1) { return {.nodes = nodes, .seed = seed}; }

PlacementSpec grouped(u32 nodes, u32 group, u64 seed = 1) {
  return {.nodes = nodes, .seed = seed, .group_nodes = group};
}

PlacementSpec on_grid(const std::vector<u32>& grid) {
  u32 nodes = 1;
  for (const u32 size : grid) nodes *= size;
  return {.nodes = nodes, .grid = grid};
}

std::string refusal(const std::string& policy, const PlacementSpec& spec) {
  try {
    (void)fill_order(policy, spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FillOrder, ConsecutiveGoesByNumber) { EXPECT_EQ(order_of("consecutive", numbered(5)), (Numbers{0, 1, 2, 3, 4})); }

TEST(FillOrder, ShiftBeginsAtANodeAndGoesRound) {
  PlacementSpec spec = numbered(5);
  EXPECT_EQ(order_of("shift", spec), (Numbers{0, 1, 2, 3, 4}));  // the key has a default
  for (const i64 nodes : {3, 8, 1'000'000'003}) {
    spec.keys.set("shift_nodes", nodes);
    EXPECT_EQ(order_of("shift", spec), (Numbers{3, 4, 0, 1, 2})) << nodes;
  }
}

TEST(FillOrder, RandomIsAPermutationThatTheSeedDecides) {
  Numbers order = order_of("random", numbered(200, 3));
  EXPECT_EQ(order, order_of("random", grouped(200, 10, 3)));
  EXPECT_NE(order, order_of("random", numbered(200, 4)));
  std::ranges::sort(order);
  EXPECT_EQ(order, order_of("consecutive", numbered(200)));
}

TEST(FillOrder, RandomPutsEveryNodeEquallyOftenInEveryPlace) {
  constexpr u32 nodes = 6, seeds = 12'000;
  std::vector<Numbers> counts(nodes, Numbers(nodes, 0));  // [place][node]
  for (u64 seed = 0; seed < seeds; ++seed) {
    const Numbers order = order_of("random", numbered(nodes, seed));
    for (u32 place = 0; place < nodes; ++place) ++counts[place][order[place]];
  }
  for (const Numbers& of_place : counts) {
    for (const u32 count : of_place) EXPECT_NEAR(count, seeds / nodes, 180);  // 4.4 standard deviations
  }
}

TEST(FillOrder, RoundRobinTakesOneNodeOfEachGroupInTurn) {
  EXPECT_EQ(order_of("round-robin", grouped(8, 2)), (Numbers{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(order_of("round-robin", grouped(6, 3)), (Numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(order_of("round-robin", grouped(5, 2)), (Numbers{0, 2, 4, 1, 3}));  // the last group has one
}

TEST(FillOrder, ClusteredTakesWholeGroupsInTheOrderThatTheSeedDraws) {
  for (const u64 seed : {u64{1}, u64{2}, u64{3}}) {
    const Numbers groups = order_of("random", numbered(4, seed));
    Numbers expected;
    for (const u32 group : groups) {
      for (const u32 node : {0U, 1U, 2U}) expected.push_back(3 * group + node);
    }
    EXPECT_EQ(order_of("clustered", grouped(12, 3, seed)), expected);
    std::erase_if(expected, [](u32 node) { return node > 9; });
    EXPECT_EQ(order_of("clustered", grouped(10, 3, seed)), expected);  // the last group has one
  }
  EXPECT_NE(order_of("clustered", grouped(120, 3, 1)), order_of("clustered", grouped(120, 3, 2)));
}

TEST(FillOrder, ShuffleTakesOneNodeOfEachRouterInTurn) {
  PlacementSpec spec = numbered(8);
  spec.router_of = [](u32 node) { return node / 4; };
  EXPECT_EQ(order_of("shuffle", spec), (Numbers{0, 4, 1, 5, 2, 6, 3, 7}));
  spec.router_of = [](u32 node) { return node < 5 ? 7U : 3U; };  // five nodes and three
  EXPECT_EQ(order_of("shuffle", spec), (Numbers{0, 5, 1, 6, 2, 7, 3, 4}));
}

TEST(FillOrder, ShuffleIsAPerfectShuffleWhereRoutersHaveANodeEach) {
  PlacementSpec spec = numbered(8);
  EXPECT_EQ(order_of("shuffle", spec), (Numbers{0, 2, 4, 6, 1, 3, 5, 7}));  // place i: i's bits rotated left
  spec.router_of = [](u32 node) { return 7 - node; };
  EXPECT_EQ(order_of("shuffle", spec), (Numbers{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(order_of("shuffle", numbered(5)), (Numbers{0, 2, 4, 1, 3}));
}

TEST(FillOrder, RowColumnQuadrantAndDiagonalOfAGridOf4By3) {
  const PlacementSpec spec = on_grid({4, 3});
  EXPECT_EQ(order_of("row", spec), (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(order_of("column", spec), (Numbers{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  EXPECT_EQ(order_of("quadrant", spec), (Numbers{0, 1, 2, 3, 4, 5, 8, 9, 6, 7, 10, 11}));
  EXPECT_EQ(order_of("diagonal", spec), (Numbers{0, 1, 4, 2, 5, 8, 3, 6, 9, 7, 10, 11}));
}

TEST(FillOrder, ColumnAndQuadrantInThreeDimensions) {
  const PlacementSpec spec = on_grid({2, 2, 3});
  EXPECT_EQ(order_of("column", spec), (Numbers{0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11}));
  EXPECT_EQ(order_of("quadrant", spec), (Numbers{0, 1, 2, 3, 4, 8, 5, 9, 6, 10, 7, 11}));
  // Sides of one node are not cut.
  EXPECT_EQ(order_of("quadrant", on_grid({4, 1, 4})), (Numbers{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(FillOrder, MortonInterleavesBits) {
  EXPECT_EQ(order_of("morton", on_grid({4, 4})), (Numbers{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
  EXPECT_EQ(order_of("morton", on_grid({2, 2, 2})), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(order_of("morton", on_grid({3, 3})), (Numbers{0, 1, 3, 4, 2, 5, 6, 7, 8}));
}

TEST(FillOrder, HilbertTurnsItsQuarters) {
  EXPECT_EQ(order_of("hilbert", on_grid({2, 2})), (Numbers{0, 1, 3, 2}));
  // The first quarter goes up before it goes right, and the last comes back. Place of each node, the first row below:
  //   15 12 11 10
  //   14 13  8  9
  //    1  2  7  6
  //    0  3  4  5
  EXPECT_EQ(order_of("hilbert", on_grid({4, 4})), (Numbers{0, 4, 5, 1, 2, 3, 7, 6, 10, 11, 15, 14, 13, 9, 8, 12}));
  EXPECT_EQ(order_of("hilbert", on_grid({3, 1, 3})), (Numbers{0, 3, 4, 1, 2, 5, 8, 7, 6}));  // less the outer ones
  EXPECT_EQ(order_of("hilbert", on_grid({7})), (Numbers{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(order_of("hilbert", on_grid({1, 1})), Numbers{0});
}

/// Steps in all dimensions between two nodes of a mesh.
u32 apart(u32 a, u32 b, const std::vector<u32>& grid) {
  u32 steps = 0;
  for (const u32 size : grid) {
    const u32 x = a % size, y = b % size;
    steps += x > y ? x - y : y - x;
    a /= size, b /= size;
  }
  return steps;
}

TEST(FillOrder, HilbertGoesToANeighbourWhereSidesAreTheSamePowerOfTwo) {
  for (const std::vector<u32>& grid : std::vector<std::vector<u32>>{
           {8, 8}, {4, 4, 4}, {16, 16}, {32, 32, 32}, {2, 2, 2, 2, 2}, {4, 4, 4, 4}, {8, 1, 8}}) {
    const Numbers order = order_of("hilbert", on_grid(grid));
    EXPECT_EQ(order[0], 0U);
    for (std::size_t k = 1; k < order.size(); ++k) ASSERT_EQ(apart(order[k - 1], order[k], grid), 1U) << k;
  }
}

TEST(FillOrder, CurvesKeepAlignedBlocksTogether) {
  for (const char* const policy : {"hilbert", "morton"}) {
    const Numbers order = order_of(policy, on_grid({12, 20, 8}));
    std::map<u32, u32> last, times;  // by block of 4 by 4 by 4 nodes
    for (u32 place = 0; place < order.size(); ++place) {
      const u32 node = order[place], block = node % 12 / 4 + 3 * (node / 12 % 20 / 4) + 15 * (node / 240 / 4);
      const bool first = times[block]++ == 0;
      EXPECT_TRUE(first || last[block] + 1 == place) << policy;
      last[block] = place;
    }
    EXPECT_EQ(times.size(), 30U);
  }
}

TEST(FillOrder, CurvesOfManyDimensionsHavePlacesOfMoreThan64Bits) {
  std::vector<u32> grid(9, 2);
  grid.push_back(128);  // 7 bits of 10 coordinates; cubes of two places a side come one after the other
  for (const char* const policy : {"hilbert", "morton"}) {
    const Numbers order = order_of(policy, on_grid(grid));
    for (u32 place = 0; place < order.size(); ++place)
      ASSERT_EQ(order[place] / 1024, order[place / 1024 * 1024] / 1024) << policy << ' ' << place;
    EXPECT_EQ(std::ranges::is_sorted(order), std::string(policy) == "morton");
  }
}

TEST(FillOrder, SaysWhatANetworkLacksAndWhatToUse) {
  for (const u32 group : {0U, 8U}) {
    EXPECT_EQ(
        refusal("round-robin", grouped(8, group)),
        "placement.policy = \"round-robin\" is not possible (this network has no groups of nodes); use \"shuffle\"");
    EXPECT_EQ(refusal("clustered", grouped(8, group)),
              "placement.policy = \"clustered\" is not possible (this network has no groups of nodes); use \"random\"");
  }
  for (const char* const policy : {"row", "column", "quadrant", "diagonal", "hilbert", "morton"}) {
    PlacementSpec spec = numbered(8);
    for (const std::vector<u32>& grid : std::vector<std::vector<u32>>{{}, {4}, {65536, 65536}}) {
      spec.grid = grid;  // none, or one of other nodes
      EXPECT_EQ(refusal(policy, spec),
                fmt::format("placement.policy = \"{}\" is not possible (this network has no grid of nodes); use "
                            "\"consecutive\"",
                            policy));
    }
  }
  EXPECT_EQ(
      refusal("hillbert", on_grid({4, 4})),
      "placement.policy \"hillbert\" is unknown (weft describe placements lists them); did you mean \"hilbert\"?");
}

TEST(InOrder, PutsSeveralTasksOnANodeBeforeTheNext) {
  const std::vector<NodeId> order{NodeId(2), NodeId(0), NodeId(1)};
  EXPECT_EQ(in_order(order, 5, 2).node_of_task,
            (std::vector<NodeId>{NodeId(2), NodeId(2), NodeId(0), NodeId(0), NodeId(1)}));
  EXPECT_THROW((void)in_order(order, 7, 2), ConfigError);
  EXPECT_EQ(place_tasks("column", on_grid({2, 2}), 5, 2).node_of_task,
            (std::vector<NodeId>{NodeId(0), NodeId(0), NodeId(2), NodeId(2), NodeId(1)}));
}

}  // namespace
}  // namespace weft::workloads
