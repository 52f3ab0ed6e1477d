// Who wins an output: each policy in a situation in which it must choose differently from the others.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/routing/router_kind.hpp"
#include "tests/models/network/scripted_network.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::models::testing {
namespace {

Case with(TopologySpec topology, Arbitration arbitration) {
  Case setup{std::move(topology), packets_of(usual_phits)};
  setup.router.arbitration = arbitration;
  return setup;
}

/// Order in which the packets for one node of a 4x3 mesh are consumed. Coming from x = 0, it is input 0; from y = 0,
/// input 2; from y = 2, input 3. The one from y = 2 arrives first and keeps the others waiting.
std::vector<u32> order_on_mesh(Arbitration arbitration, Tick from_west, Tick from_south) {
  constexpr u32 target = 7, west = 4, south = 3, north = 11;
  Case setup = with(mesh({4, 3}), arbitration);
  setup.router.own.set("bubble_packets", i64{0});
  return sources_at(run_script(setup, {{0, north, target}, {from_west, west, target}, {from_south, south, target}}),
                    target);
}

TEST(Arbitration, AgePicksThePacketBornFirstThoughItArrivedLater) {
  // From the west: generated at 0, three hops, arrives at 3. From the south: generated at 1, one hop, arrives at 2.
  EXPECT_EQ(order_on_mesh(Arbitration::age, 0, 1), (std::vector<u32>{11, 4, 3}));
  EXPECT_EQ(order_on_mesh(Arbitration::age, 6, 2), (std::vector<u32>{11, 3, 4}));
}

TEST(Arbitration, AgeInNetworkCountsFromWhereThePacketLeftItsQueue) {
  // Node 6, west of node 7, has two packets at 0, of which the second leaves when the first has, at L. The one of node
  // 3 leaves at 6. That of node 11 keeps both waiting until 5 + L.
  const std::vector<Send> script{{0, 6, 2}, {0, 6, 7}, {4, 11, 7}, {6, 3, 7}};
  const auto order = [&](Arbitration arbitration) {
    Case setup = with(mesh({4, 3}), arbitration);
    setup.router.own.set("bubble_packets", i64{0});
    return sources_at(run_script(setup, script), 7);
  };
  EXPECT_EQ(order(Arbitration::age), (std::vector<u32>{11, 6, 3}));
  EXPECT_EQ(order(Arbitration::age_in_network), (std::vector<u32>{11, 3, 6}));
}

TEST(Arbitration, AgeInNetworkLetsPacketsOfQueuesOfNodesInLast) {
  // Node 2's own packet waits for the link to node 3 until no packet in transit wants it.
  Case setup = with(mesh({5}), Arbitration::age_in_network);
  setup.router.own.set("bubble_packets", i64{0});
  const std::vector<Send> script{{0, 0, 4}, {0, 0, 4}, {0, 0, 4}, {3, 2, 4}};
  EXPECT_EQ(sources_at(run_script(setup, script), 4), (std::vector<u32>{0, 0, 0, 2}));
  setup.router.arbitration = Arbitration::fifo;
  EXPECT_EQ(sources_at(run_script(setup, script), 4), (std::vector<u32>{0, 2, 0, 0}));
}

TEST(Arbitration, FifoPicksThePacketThatAskedFirstThoughItIsYounger) {
  // From the west, generated at 0 and three hops away, a packet asks at 3; from the south, one hop away, at 1 + 1 = 2
  // and at 5 + 1 = 6.
  EXPECT_EQ(order_on_mesh(Arbitration::fifo, 0, 1), (std::vector<u32>{11, 3, 4}));
  EXPECT_EQ(order_on_mesh(Arbitration::fifo, 0, 5), (std::vector<u32>{11, 4, 3}));
}

TEST(Arbitration, LongestPicksTheQueueThatHoldsMost) {
  // The later one's tail has not arrived when the output comes free at 1 + L.
  EXPECT_EQ(order_on_mesh(Arbitration::longest, usual_phits - 6, 1), (std::vector<u32>{11, 3, 4}));
  EXPECT_EQ(order_on_mesh(Arbitration::longest, 0, usual_phits - 6), (std::vector<u32>{11, 4, 3}));
}

TEST(Arbitration, RoundRobinGoesOnBehindTheLastWinnerWhoeverCameFirst) {
  // Input 3 has won, so the next is input 0 and then input 2.
  EXPECT_EQ(order_on_mesh(Arbitration::round_robin, 0, 1), (std::vector<u32>{11, 4, 3}));
  EXPECT_EQ(order_on_mesh(Arbitration::round_robin, usual_phits - 6, 1), (std::vector<u32>{11, 4, 3}));
}

/// Sources of the packets that come to node 5 of a 3x3 mesh through router 4: from nodes 1, 3 and 7, in channels of the
/// caller's choice, and from node 4.
std::vector<u32> order_through_the_middle(Arbitration arbitration, u32 of_1, u32 of_3,
                                          const std::vector<Send>& script) {
  const ScratchFolder folder;
  const std::string path =
      folder.write("routes", fmt::format("1 5: 2/{} 0/0\n3 5: 0/{} 0/0\n7 5: 3/0 0/0\n4 5: 0/0\n", of_1, of_3));
  Case setup = with(mesh({3, 3}), arbitration);
  setup.router.kind = "source-route";
  setup.router.virtual_channels = 3;
  for (const Setting& row : router_kind("source-route").settings) setup.router.own.set(row.name(), row.fallback);
  setup.router.own.set("routes_path", path);
  return sources_at(run_script(setup, script), 5);
}

TEST(Arbitration, HighestPicksTheHighestChannelThoughItCameLastAndNodesBehindAll) {
  // The packet of node 7 keeps the link until the others are there.
  const std::vector<Send> script{{0, 7, 5}, {3, 4, 5}, {4, 3, 5}, {6, 1, 5}};
  EXPECT_EQ(order_through_the_middle(Arbitration::highest, 2, 1, script), (std::vector<u32>{7, 1, 3, 4}));
  EXPECT_EQ(order_through_the_middle(Arbitration::highest, 1, 2, script), (std::vector<u32>{7, 3, 1, 4}));
  EXPECT_EQ(order_through_the_middle(Arbitration::fifo, 2, 1, script), (std::vector<u32>{7, 4, 3, 1}));
}

TEST(Arbitration, HighestServesThoseOfOneChannelInTurn) {
  std::vector<Send> script;
  for (const u32 source : {1U, 3U}) script.insert(script.end(), 20, {0, source, 5});
  const auto order = order_through_the_middle(Arbitration::highest, 1, 1, script);
  ASSERT_EQ(order.size(), 40U);
  for (std::size_t i = 1; i < order.size(); ++i) ASSERT_NE(order[i], order[i - 1]);
}

/// Sources of the packets consumed at a node that three others keep sending to.
std::vector<u32> saturated_switch(Arbitration arbitration, u32 per_source) {
  std::vector<Send> script;
  for (u32 source = 0; source < 3; ++source) script.insert(script.end(), per_source, {0, source, 3});
  return sources_at(run_script(with(crossbar(4), arbitration), script), 3);
}

TEST(Arbitration, RoundRobinServesSaturatingInputsInTurn) {
  const auto order = saturated_switch(Arbitration::round_robin, 30);
  ASSERT_EQ(order.size(), 90U);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i % 3);
}

TEST(Arbitration, RoundRobinAlternatesBetweenTwoNeighboursOfAMesh) {
  Case setup = with(mesh({3}), Arbitration::round_robin);
  std::vector<Send> script(30, {0, 0, 1});
  script.insert(script.end(), 30, {0, 2, 1});
  const auto order = sources_at(run_script(setup, script), 1);
  ASSERT_EQ(order.size(), 60U);
  for (std::size_t i = 1; i < order.size(); ++i) ASSERT_NE(order[i], order[i - 1]);
}

TEST(Arbitration, EveryPolicyServesSaturatingInputsWithoutGaps) {
  for (const auto arbitration : {Arbitration::round_robin, Arbitration::random, Arbitration::fifo, Arbitration::longest,
                                 Arbitration::age, Arbitration::age_in_network, Arbitration::highest}) {
    std::vector<Send> script;
    for (u32 source = 0; source < 3; ++source) script.insert(script.end(), 20, {0, source, 3});
    const auto times = times_at(run_script(with(crossbar(4), arbitration), script), 3);
    ASSERT_EQ(times.size(), 60U);
    EXPECT_EQ(times.back() - times.front(), 59U * usual_phits);
  }
}

TEST(Arbitration, RandomIsFairInTheLongRunAndNotInTurn) {
  const auto order = saturated_switch(Arbitration::random, 400);
  // While all three have packets: a third each, within four standard deviations.
  const u32 window = 900;
  for (u32 source = 0; source < 3; ++source) {
    const double share = static_cast<double>(std::count(order.begin(), order.begin() + window, source));
    EXPECT_NEAR(share, window / 3.0, 4 * std::sqrt(window * 2.0 / 9));
  }
  u32 repeats = 0;
  for (u32 i = 1; i < window; ++i) repeats += order[i] == order[i - 1] ? 1 : 0;
  EXPECT_NEAR(repeats, window / 3.0, 4 * std::sqrt(window * 2.0 / 9));
}

TEST(Arbitration, TransitPriorityLeavesInjectionOutWhileTransitWantsThePort) {
  // Nodes 0 and 1 of a line send to node 2; with P = 1, node 1 gets through when nothing comes from node 0.
  for (const bool priority : {false, true}) {
    Case setup = with(mesh({3}), Arbitration::round_robin);
    setup.router.own.set("bubble_packets", i64{0});
    setup.router.transit_priority = priority ? ~u64{0} : 0;
    std::vector<Send> script(20, {0, 0, 2});
    script.insert(script.end(), 20, {0, 1, 2});
    const auto order = sources_at(run_script(setup, script), 2);
    ASSERT_EQ(order.size(), 40U);
    const auto early = std::count(order.begin(), order.begin() + 20, 1U);
    if (priority) {
      EXPECT_LE(early, 2);
    } else {
      EXPECT_GE(early, 7);
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
