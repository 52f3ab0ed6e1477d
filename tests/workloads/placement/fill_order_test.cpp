// The orders in which tasks fill nodes.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/error.hpp"
#include "workloads/placement/placement.hpp"

namespace weft::workloads {
namespace {

std::vector<u32> order_of(const std::string& policy, u32 nodes, u64 seed, u32 group_nodes) {
  std::vector<u32> numbers;
  for (const NodeId node : fill_order(policy, nodes, seed, group_nodes)) numbers.push_back(node.value());
  return numbers;
}

TEST(FillOrder, ConsecutiveGoesByNumber) {
  EXPECT_EQ(order_of("consecutive", 5, 3, 0), (std::vector<u32>{0, 1, 2, 3, 4}));
}

TEST(FillOrder, RandomIsAPermutationThatTheSeedDecides) {
  std::vector<u32> order = order_of("random", 200, 3, 0);
  EXPECT_EQ(order, order_of("random", 200, 3, 10));
  EXPECT_NE(order, order_of("random", 200, 4, 0));
  std::ranges::sort(order);
  EXPECT_EQ(order, order_of("consecutive", 200, 3, 0));
}

TEST(FillOrder, RandomPutsEveryNodeEquallyOftenInEveryPlace) {
  constexpr u32 nodes = 6, seeds = 12'000;
  std::vector<std::vector<u32>> counts(nodes, std::vector<u32>(nodes, 0));  // [place][node]
  for (u64 seed = 0; seed < seeds; ++seed) {
    const std::vector<u32> order = order_of("random", nodes, seed, 0);
    for (u32 place = 0; place < nodes; ++place) ++counts[place][order[place]];
  }
  for (const auto& of_place : counts) {
    for (const u32 count : of_place) EXPECT_NEAR(count, seeds / nodes, 180);  // 4.4 standard deviations
  }
}

TEST(FillOrder, RoundRobinTakesOneNodeOfEachGroupInTurn) {
  EXPECT_EQ(order_of("round-robin", 8, 1, 2), (std::vector<u32>{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(order_of("round-robin", 6, 1, 3), (std::vector<u32>{0, 3, 1, 4, 2, 5}));
}

TEST(FillOrder, RoundRobinNeedsGroups) {
  for (const u32 group : {0U, 8U}) {
    try {
      (void)fill_order("round-robin", 8, 1, group);
      FAIL();
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("has no groups of nodes); use \"consecutive\" or \"random\""),
                std::string::npos);
    }
  }
}

TEST(InOrder, PutsSeveralTasksOnANodeBeforeTheNext) {
  const std::vector<NodeId> order{NodeId(2), NodeId(0), NodeId(1)};
  EXPECT_EQ(in_order(order, 5, 2).node_of_task,
            (std::vector<NodeId>{NodeId(2), NodeId(2), NodeId(0), NodeId(0), NodeId(1)}));
  EXPECT_THROW((void)in_order(order, 7, 2), ConfigError);
}

}  // namespace
}  // namespace weft::workloads
