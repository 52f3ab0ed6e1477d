// The bubble: rings that never block with it, and block without it.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

constexpr Tick span = 20'000;

/// Every node of a ring sends almost half-way round, as fast as it can.
std::vector<Send> tornado(u32 nodes, u32 per_node) {
  std::vector<Send> script;
  for (u32 node = 0; node < nodes; ++node)
    script.insert(script.end(), per_node, {0, node, (node + (nodes - 1) / 2) % nodes});
  return script;
}

Case ring_of(u32 nodes, u32 channels, const char* mode, u32 queue) {
  Case setup{torus({nodes}), packets_of(usual_phits)};
  setup.router.virtual_channels = channels;
  setup.router.mode = mode;
  setup.router.queue_packets = queue;
  setup.until = span;
  return setup;
}

/// Longest time without a delivery.
Tick longest_silence(const Result& result, Tick until) {
  Tick last = 0, longest = 0;
  for (const Delivery& d : result.deliveries) {
    longest = std::max(longest, d.at - last);
    last = d.at;
  }
  return std::max(longest, until - last);
}

TEST(Bubble, ASaturatedRingKeepsDelivering) {
  for (const auto mode : {"oblivious", "random", "shortest", "smart"}) {
    for (const u32 channels : {1U, 2U, 3U}) {
      for (u32 queue = 2; queue <= 4; ++queue) {
        const Case setup = ring_of(9, channels, mode, queue);
        SCOPED_TRACE(describe(setup));
        const Result result = run_script(setup, tornado(9, span / usual_phits));
        EXPECT_FALSE(result.exhausted);
        // A link carries a phit a cycle, a packet needs four: at most a quarter of span / usual_phits packets a node.
        EXPECT_GT(result.counters.delivered, 9 * span / usual_phits / 16);
        EXPECT_LE(result.counters.delivered, 9 * span / usual_phits / 4);
        EXPECT_LT(longest_silence(result, span), 40 * usual_phits);
      }
    }
  }
}

TEST(Bubble, ASaturatedTorusKeepsDelivering) {
  for (const auto mode : {"oblivious", "random", "shortest", "smart"}) {
    for (u32 queue = 2; queue <= 4; queue += 2) {
      Case setup = ring_of(4, 2, mode, queue);
      setup.topology = torus({5, 5});
      setup.until = 5'000;
      SCOPED_TRACE(describe(setup));
      const Result result = run_script(setup, random_traffic(25, 400, 1, 3));
      EXPECT_FALSE(result.exhausted);
      EXPECT_LT(longest_silence(result, setup.until), 20 * usual_phits);
    }
  }
}

/// Whether following "waits for free space in" from some blocked packet comes back to it.
bool has_cycle(const std::vector<Blocked>& blocked) {
  std::map<std::pair<u32, u32>, std::pair<u32, u32>> waits_for;
  for (const Blocked& b : blocked) waits_for[{b.entity, b.input}] = {b.next_entity, b.next_input};
  for (const auto& [start, first] : waits_for) {
    auto at = first;
    for (std::size_t steps = 0; steps <= waits_for.size(); ++steps) {
      if (at == start) return true;
      const auto next = waits_for.find(at);
      if (next == waits_for.end()) break;
      at = next->second;
    }
  }
  return false;
}

TEST(Bubble, WithoutABubbleASaturatedRingDeadlocksAndTheReportShowsTheCycle) {
  for (const u32 queue : {1U, 2U, 4U}) {
    Case setup = ring_of(9, 1, "shortest", queue);
    setup.router.own.set("bubble_packets", i64{0});
    setup.until = never;
    const Result result = run_script(setup, tornado(9, span / usual_phits));
    SCOPED_TRACE(describe(setup));
    EXPECT_TRUE(result.exhausted) << "packets are stuck, so no event can be left";
    EXPECT_FALSE(result.drained);
    EXPECT_LT(result.counters.delivered, result.counters.injected);
    EXPECT_TRUE(has_cycle(result.blocked));
    // The queues of the ring, full, and the injection queues behind them.
    EXPECT_EQ(result.blocked.size(), 18U);
    std::set<u32> entities;
    for (const Blocked& b : result.blocked) {
      entities.insert(b.entity);
      EXPECT_EQ(b.next_entity, (b.entity + 1) % 9) << "all go up the ring";
      EXPECT_EQ(b.next_input, 0U);
      EXPECT_LT(b.to, 9U);
    }
    EXPECT_EQ(entities.size(), 9U);
  }
}

TEST(Bubble, ABubbleOfOnePacketIsNotEnoughToEnterAnEmptyRingOfOnePacketQueues) {
  // Two packets of free space can never be found in a queue of one: nothing enters, and nothing is lost either.
  const Result result = run_script(ring_of(9, 1, "shortest", 1), {{0, 0, 3}});
  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(result.counters.injected, 0U);
  EXPECT_EQ(result.blocked.size(), 1U);
}

TEST(Bubble, EnteringARingWaitsForSpaceForTwoPacketsAndPassingOnDoesNot) {
  // Queues of two. A packet from node 0 passes node 1 at once; node 1's own waits until its queue of that ring is empty
  // again, which is when the tail of the passing packet has left it.
  Case setup = ring_of(5, 1, "shortest", 2);
  setup.router.multiple_consumption = true;
  const Result result = run_script(setup, {{0, 0, 2}, {4, 1, 2}});
  EXPECT_EQ(times_at(result, 2), (std::vector<Tick>{2 + usual_phits - 1, 1 + usual_phits + 1 + usual_phits - 1}));
  const Result other_way = run_script(setup, {{0, 0, 2}, {4, 1, 0}});
  EXPECT_EQ(times_at(other_way, 0), std::vector<Tick>{4 + 1 + usual_phits - 1}) << "the other ring is not concerned";
}

TEST(Bubble, AMeshNeedsNoBubbleToBeSafe) {
  // Dimension order without wrap-around links has no cycle.
  for (const u32 queue : {1U, 2U}) {
    Case setup{mesh({4, 4}), packets_of(usual_phits)};
    setup.router.queue_packets = queue;
    setup.router.own.set("bubble_packets", i64{0});
    EXPECT_TRUE(run_script(setup, random_traffic(16, 60, 1, 4)).drained);
  }
}

TEST(Bubble, AdaptiveChannelsCarryMoreThanTheEscapeChannelAlone) {
  const auto delivered = [](u32 channels, const char* mode) {
    Case setup = ring_of(4, channels, mode, 4);
    setup.topology = torus({6, 6});
    setup.until = 6'000;
    return run_script(setup, random_traffic(36, 400, 1, 6)).counters.delivered;
  };
  const u64 escape_only = delivered(1, "oblivious");
  for (const auto mode : {"random", "shortest", "smart"}) {
    EXPECT_GT(delivered(3, mode), escape_only * 11 / 10) << "mode " << mode;
  }
}

TEST(Bubble, LocalBufferRestrictionHoldsInjectionBack) {
  // With adaptive channels full of transit, injection needs free space for B packets in this router's queue.
  const auto in_network = [](u32 packets) {
    Case setup = ring_of(9, 3, "shortest", 4);
    setup.router.local_buffer_packets = packets;
    const Result result = run_script(setup, tornado(9, span / usual_phits));
    return result.counters.injected - result.counters.delivered;
  };
  EXPECT_LT(in_network(3), in_network(0));
}

}  // namespace
}  // namespace weft::models::testing
