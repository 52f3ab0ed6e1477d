// Loads, latencies and quantiles from counts made by hand.
#include "tools/run/collect/summarise.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace weft::tools {
namespace {

/// Two packets of 16 phits on 4 nodes: latencies 20 and 30 ticks, waits 4 and 6, 3 and 5 links, in 100 cycles.
Measured two_packets() {
  Measured m;
  m.counts.generated = m.counts.injected = m.counts.delivered = 2;
  m.counts.add_latency(20);
  m.counts.add_latency(30);
  m.counts.wait = 10;
  m.counts.distance = 8;
  m.cycles = 100;
  m.time_in_network = 50 - 10;
  m.latency_max = 30;
  m.distance_max = 5;
  return m;
}

TEST(Summary, LoadsAreInPhitsPerNodeAndCycle) {
  RunResult r;
  summarise_counts(r, two_packets(), {.nodes = 4, .packet_phits = 16, .ticks_per_cycle = 1});
  EXPECT_DOUBLE_EQ(r.load_accepted, 2.0 * 16 / (4 * 100));
  EXPECT_DOUBLE_EQ(r.load_injected, 2.0 * 16 / (4 * 100));
}

TEST(Summary, LoadsAreOfCellsWherePacketsHaveDifferentLengths) {
  RunResult r;
  Measured m = two_packets();
  m.counts.injected_cells = 20;
  m.counts.delivered_cells = 13;
  summarise_counts(r, m, {.nodes = 4, .packet_phits = 16, .ticks_per_cycle = 1, .counts_cells = true});
  EXPECT_DOUBLE_EQ(r.load_injected, 20.0 / (4 * 100));
  EXPECT_DOUBLE_EQ(r.load_accepted, 13.0 / (4 * 100));
}

TEST(Summary, LinksAreBusyForWholePacketsOrForTheTicksThatWereCounted) {
  EXPECT_DOUBLE_EQ((LoadScale{.packet_phits = 16, .ticks_per_cycle = 10}.busy_cycles(3, 0)), 48);
  EXPECT_DOUBLE_EQ((LoadScale{.packet_phits = 16, .ticks_per_cycle = 10, .counts_cells = true}.busy_cycles(3, 125)),
                   12.5);
}

TEST(Summary, LatenciesAreInCyclesOfSeveralTicks) {
  RunResult r;
  summarise_counts(r, two_packets(), {.nodes = 4, .packet_phits = 16, .ticks_per_cycle = 10});
  EXPECT_DOUBLE_EQ(r.latency_mean, 2.5);
  EXPECT_DOUBLE_EQ(r.latency_stddev, 0.5);
  EXPECT_DOUBLE_EQ(r.latency_max, 3.0);
  EXPECT_DOUBLE_EQ(r.latency_network_mean, 2.0);
  EXPECT_DOUBLE_EQ(r.distance_mean, 4.0);
  EXPECT_EQ(r.distance_max, 5);
}

TEST(Summary, NothingDeliveredLeavesLatenciesAtZero) {
  RunResult r;
  Measured m;
  m.counts.generated = m.counts.injected = 3;
  m.cycles = 10;
  summarise_counts(r, m, {.nodes = 1, .packet_phits = 1, .ticks_per_cycle = 1});
  EXPECT_EQ(r.latency_mean, 0);
  EXPECT_EQ(r.latency_network_mean, 0);
  EXPECT_DOUBLE_EQ(r.load_injected, 0.3);
  EXPECT_TRUE(r.latency_histogram.empty());
}

/// Injections and deliveries of packets at given ticks, as the network counts them.
struct Journey {
  Tick injected, delivered;
};
models::Counters counted(const std::vector<Journey>& journeys, Tick before) {
  models::Counters c;
  for (const Journey& j : journeys) {
    if (j.injected < before) {
      ++c.injected;
      c.network_time -= j.injected;
    }
    if (j.delivered < before) {
      ++c.delivered;
      c.network_time += j.delivered;
    }
  }
  return c;
}

TEST(TimeInNetwork, OfWholeJourneysIsTheSumOfTheirLengths) {
  const std::vector<Journey> journeys{{5, 25}, {7, 17}, {100, 160}};
  EXPECT_EQ(counted(journeys, 1000).time_in_network(1000), 20U + 10 + 60);
}

TEST(TimeInNetwork, OfAWindowCountsEveryPacketForTheTimeItIsInTheNetworkThere) {
  const std::vector<Journey> journeys{{5, 25}, {7, 170}, {100, 160}, {140, 400}};
  const Tick begin = 20, end = 150;
  Tick expected = 0;
  for (const Journey& j : journeys) {
    const Tick from = std::max(j.injected, begin), to = std::min(j.delivered, end);
    expected += to > from ? to - from : 0;
  }
  EXPECT_EQ(counted(journeys, end).time_in_network(end) - counted(journeys, begin).time_in_network(begin), expected);
}

TEST(TimeInNetwork, SurvivesTheWayThroughACheckpoint) {
  const models::Counters c = counted({{5, 25}, {7, 4000}}, 1000);
  EXPECT_EQ(models::Counters::from(c.words()).time_in_network(1000), c.time_in_network(1000));
}

}  // namespace
}  // namespace weft::tools
