// Which channels drain, judged by trying again and again until nothing changes, on graphs drawn at random; and cycles
// of them.
#include "models/routing/channel_graph.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace weft::models {
namespace {

using Waiting = ChannelGraph::Waiting;

struct Wait {
  u32 channel;
  std::vector<u32> ways;
};

ChannelGraph graph_of(const std::vector<Wait>& waits) {
  ChannelGraph graph;
  for (u32 w = 0; w < waits.size(); ++w) graph.add({waits[w].channel, w, 1000 + w}, waits[w].ways);
  return graph;
}
std::vector<u32> channels_of(const std::vector<Waiting>& cycle) {
  std::vector<u32> channels;
  for (const Waiting& packet : cycle) channels.push_back(packet.channel);
  return channels;
}

/// Channels that do not drain, by rounds.
std::set<u32> stuck_channels(const std::vector<Wait>& waits, TakesCandidate takes) {
  std::set<u32> stuck;
  for (const Wait& wait : waits) stuck.insert(wait.channel);
  const auto gets_on = [&](const Wait& wait) {
    const auto drains = [&](u32 way) { return !stuck.contains(way); };
    return takes == TakesCandidate::any ? std::ranges::any_of(wait.ways, drains)
                                        : std::ranges::all_of(wait.ways, drains);
  };
  for (std::size_t before = stuck.size() + 1; before != stuck.size();) {
    before = stuck.size();
    std::set<u32> still;
    for (const Wait& wait : waits) {
      if (!gets_on(wait)) still.insert(wait.channel);
    }
    stuck = still;
  }
  return stuck;
}

TEST(ChannelGraph, FindsTheCircleOfARingAndNoneInALine) {
  EXPECT_TRUE(ChannelGraph().find_cycle(TakesCandidate::any).empty());
  const std::vector<Wait> line{{0, {1}}, {1, {2}}, {2, {3}}};
  std::vector<Wait> ring = line;
  ring.push_back({3, {1}});
  for (const TakesCandidate takes : {TakesCandidate::any, TakesCandidate::committed}) {
    EXPECT_TRUE(graph_of(line).find_cycle(takes).empty());
    const auto cycle = graph_of(ring).find_cycle(takes);
    EXPECT_EQ(channels_of(cycle), (std::vector<u32>{1, 2, 3}));
    EXPECT_EQ(cycle[0].from, 1U);
    EXPECT_EQ(cycle[0].to, 1001U);
  }
}

TEST(ChannelGraph, AWayOutOfEachWaitIsEnoughUnlessPacketsAreCommitted) {
  const std::vector<Wait> waits{{0, {1, 9}}, {1, {2, 9}}, {2, {0, 9}}};
  EXPECT_TRUE(graph_of(waits).find_cycle(TakesCandidate::any).empty());
  EXPECT_EQ(graph_of(waits).find_cycle(TakesCandidate::committed).size(), 3U);
  std::vector<Wait> closed = waits;  // the way out leads back
  closed.push_back({9, {0}});
  EXPECT_EQ(channels_of(graph_of(closed).find_cycle(TakesCandidate::any)), (std::vector<u32>{0, 9}));
}

TEST(ChannelGraph, AnotherPacketInTheChannelMayHaveNoWayOut) {
  const std::vector<Wait> waits{{0, {1, 9}}, {1, {0, 9}}, {0, {1}}, {1, {0}}};
  EXPECT_EQ(graph_of(waits).find_cycle(TakesCandidate::any).size(), 2U);
  EXPECT_TRUE(graph_of({waits.begin(), waits.end() - 1}).find_cycle(TakesCandidate::any).empty());
}

TEST(ChannelGraph, KeepsTheFirstOfEqualWaits) {
  ChannelGraph graph;
  const std::vector<u32> one{1}, zero{0};
  for (u32 k = 0; k < 5000; ++k) {
    graph.add({0, k, k}, one);
    graph.add({1, k, k}, zero);
  }
  EXPECT_EQ(graph.waits(), 2U);
  for (u32 k = 0; k < 5000; ++k) graph.add({2 + k, 0, 0}, one);
  EXPECT_EQ(graph.waits(), 5002U);
  const auto cycle = graph.find_cycle(TakesCandidate::any);
  ASSERT_EQ(cycle.size(), 2U);
  EXPECT_EQ(cycle[0].from + cycle[1].from, 0U);
}

TEST(ChannelGraph, DrainsWhatRoundAfterRoundDrains) {
  std::mt19937_64 draw(7);
  u32 with_cycle = 0, without = 0;
  for (u32 trial = 0; trial < 4000; ++trial) {
    const u32 channels = 2 + static_cast<u32>(draw() % 12), count = 1 + static_cast<u32>(draw() % (2 * channels));
    std::vector<Wait> waits;
    for (u32 w = 0; w < count; ++w) {
      std::set<u32> ways;
      for (u32 k = 0; k <= draw() % 3; ++k) ways.insert(static_cast<u32>(draw() % channels));
      waits.push_back({static_cast<u32>(draw() % channels), {ways.begin(), ways.end()}});
    }
    const ChannelGraph graph = graph_of(waits);
    for (const TakesCandidate takes : {TakesCandidate::any, TakesCandidate::committed}) {
      const std::set<u32> stuck = stuck_channels(waits, takes);
      const auto cycle = graph.find_cycle(takes);
      ASSERT_EQ(cycle.empty(), stuck.empty()) << "trial " << trial;
      (cycle.empty() ? without : with_cycle) += 1;
      std::set<u32> once;
      for (std::size_t k = 0; k < cycle.size(); ++k) {
        const Waiting& packet = cycle[k];
        const Wait& wait = waits[packet.from];
        ASSERT_EQ(wait.channel, packet.channel);
        ASSERT_TRUE(stuck.contains(packet.channel));
        ASSERT_TRUE(once.insert(packet.channel).second);
        ASSERT_NE(std::ranges::find(wait.ways, cycle[(k + 1) % cycle.size()].channel), wait.ways.end());
      }
    }
  }
  EXPECT_GT(with_cycle, 500U);
  EXPECT_GT(without, 500U);
}

}  // namespace
}  // namespace weft::models
