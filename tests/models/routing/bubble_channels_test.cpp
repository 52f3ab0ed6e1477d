// Which channels packets of bubble routers lie in (Puente et al., JPDC 61(9), 2001; INSEE's modes), and that every ring
// keeps a bubble.
#include <gtest/gtest.h>
#include <numeric>

#include "tests/models/routing/torus_seen.hpp"

namespace weft::models::testing {
namespace {

/// Channel 0 in dimension order, the others anywhere on a shortest path.
Rule escape_in_order(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    return hops[k].channel > 0 || t.in_order(hops, k, t.ascending());
  });
}
/// All in dimension order, and in a ring in one channel.
Rule oblivious(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    const bool goes_on = k > 0 && t.same_ring(hops[k - 1], hops[k]);
    return t.in_order(hops, k, t.ascending()) && (!goes_on || hops[k - 1].channel == hops[k].channel);
  });
}
/// One channel all the way, in which the dimensions have an order.
Rule one_channel(const TorusSeen& t, u32 channel, const std::vector<u32>& order) {
  return t.each([=](const std::vector<Hop>& hops, std::size_t k) {
    return hops[k].channel == hops[0].channel && (hops[0].channel != channel || t.in_order(hops, k, order));
  });
}

TEST(BubbleChannels, ObliviousKeepsToTheOrderAndToItsChannelInARing) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    for (const u32 channels : {1U, 3U}) {
      const auto seen = routes_of(case_of(spec(t), "bubble", "oblivious", channels));
      expect_kept(seen, oblivious(t));
      EXPECT_EQ(channels_used(seen).size(), channels);
      EXPECT_FALSE(no_cycle_of_channels(seen));  // the bubbles are what keeps it alive
    }
  }
}

/// "Once a packet enters into a VC, it never abandons it" (section 2.2.2 of INSEE's paper).
Rule oblivious_of_paper(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    return t.in_order(hops, k, t.ascending()) && hops[k].channel == hops[0].channel;
  });
}

TEST(BubbleChannels, ObliviousOfThePaperNeverLeavesItsChannel) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    Case setup = case_of(spec(t), "bubble", "oblivious", 3);
    expect_broken(routes_of(setup), oblivious_of_paper(t));
    setup.router.own.set("channel_rule", std::string("paper"));
    const auto seen = routes_of(setup);
    expect_kept(seen, oblivious_of_paper(t));
    EXPECT_EQ(channels_used(seen), (std::set<u32>{0, 1, 2}));
  }
}

/// Straight on in its channel as long as that is on a shortest path (the escape channel's in dimension order).
Rule straight_on_in_its_channel(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    if (k == 0) return true;
    const bool way_left = std::any_of(hops.begin() + static_cast<std::ptrdiff_t>(k), hops.end(),
                                      [&](const Hop& hop) { return t.same_ring(hop, hops[k - 1]); });
    return !way_left || (t.same_ring(hops[k - 1], hops[k]) && hops[k - 1].channel == hops[k].channel);
  });
}

TEST(BubbleChannels, RandomAndShortestOfThePaperTryTheSameChannelFirst) {
  // A packet alone finds it open: "the router tries to route packets waiting at an input port through the output port
  // of the same VC."
  const TorusSeen t{{7, 7}};
  for (const char* const mode : {"random", "shortest"}) {
    for (const bool paper : {false, true}) {
      Case setup = case_of(spec(t), "bubble", mode, 3);
      setup.router.own.set("channel_rule", std::string(paper ? "paper" : "program"));
      const auto topology = make_topology(setup.topology);
      Watch watch(*topology);
      setup.until = 100'000;
      setup.each_tick = [&watch](Probe& probe) { watch.look(probe); };
      std::vector<Send> script;
      for (u32 k = 0; k < 200; ++k) script.push_back({k * 64, k * 5 % 49, (k * 5 + 24 + k % 3) % 49});
      EXPECT_TRUE(run_script(setup, script).drained);
      const Broken found = broken(watch.routes(), straight_on_in_its_channel(t));
      // The program draws anew (random), or begins with the lowest of equals at each hop, which is straight on here
      // too.
      const bool keeps = paper || std::string(mode) == "shortest";
      EXPECT_EQ(found.routes > 0, !keeps) << mode << found.first;
    }
  }
}

TEST(BubbleChannels, TheEscapeChannelIsTakenInDimensionOrderOnly) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    for (const char* const mode : {"random", "shortest", "smart"}) {
      for (const u32 channels : {2U, 3U}) {
        const auto seen = routes_of(case_of(spec(t), "bubble", mode, channels));
        expect_kept(seen, escape_in_order(t));
        EXPECT_EQ(channels_used(seen).size(), channels) << mode;
        expect_broken(seen, oblivious(t));
      }
    }
  }
}

TEST(BubbleChannels, DoubleTakesTheDimensionsFromTheChannelsOnwards) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    const u32 channels = static_cast<u32>(t.dims.size());
    const auto seen = routes_of(case_of(spec(t), "bubble", "double", channels));
    EXPECT_EQ(channels_used(seen).size(), channels);
    for (u32 v = 0; v < channels; ++v) {
      std::vector<u32> order = t.ascending();
      std::ranges::rotate(order, order.begin() + v);
      expect_kept(seen, one_channel(t, v, order));
      expect_broken(seen, one_channel(t, (v + 1) % channels, order));
    }
  }
}

TEST(BubbleChannels, HexaHasEachOrderOfThreeDimensionsInOneChannel) {
  const TorusSeen& t = torus_4_3_5;
  const auto seen = routes_of(case_of(spec(t), "bubble", "hexa", 6));
  std::set<std::vector<u32>> orders;
  for (u32 v = 0; v < 6; ++v) {
    std::vector<u32> order = t.ascending();
    u32 kept = 0;
    do {
      if (broken(seen, one_channel(t, v, order)).routes > 0) continue;
      ++kept;
      orders.insert(order);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(kept, 1U) << "channel " << v;
  }
  EXPECT_EQ(orders.size(), 6U);
}

/// Most packets that have ever been in one ring of escape channels, less what the ring holds.
i64 most_over_a_full_ring(Case setup, const TorusSeen& t, bool all_channels, Tick span = 600) {
  const auto topology = make_topology(setup.topology);
  i64 most = -1'000;
  setup.until = span;
  setup.each_tick = [&](Probe& probe) {
    std::map<std::vector<u32>, i64> in_ring;  // by direction, channel and the other coordinates
    probe.for_each_queued([&](const Queued& queued) {
      if (queued.leaving || (!all_channels && queued.channel > 0)) return;
      const u32 direction = queued.through ^ 1U, d = direction / 2;
      std::vector<u32> ring{direction, queued.channel};
      for (u32 other = 0; other < t.dims.size(); ++other) {
        ring.push_back(other == d ? 0 : t.coordinate(queued.entity, other));
      }
      most = std::max(most, ++in_ring[ring] - i64{t.dims[d] * setup.router.queue_packets});
    });
  };
  const Result result = run_script(setup, steady_traffic(topology->nodes(), 1.0, setup.router, span, 11));
  EXPECT_GT(result.counters.injected, 0U);
  return most;
}

TEST(BubbleChannels, EveryRingKeepsABubble) {
  for (const char* const mode : {"oblivious", "shortest", "random", "smart", "double"}) {
    const TorusSeen t{{5, 4}};
    const bool orders = std::string(mode) == "oblivious" || std::string(mode) == "double";
    EXPECT_LE(most_over_a_full_ring(case_of(spec(t), "bubble", mode, 2), t, orders), -1) << mode;
  }
  const TorusSeen t{{4, 4, 4}};
  EXPECT_LE(most_over_a_full_ring(case_of(spec(t), "bubble", "hexa", 6), t, true), -1);
}

TEST(BubbleChannels, ARingThatNeedsNoBubbleFillsUp) {
  const TorusSeen t{{9}};
  Case setup = case_of(spec(t), "bubble", "oblivious", 1);
  setup.router.own.set("bubble_packets", i64{0});
  EXPECT_EQ(most_over_a_full_ring(setup, t, true, 2'000), 0);
}

}  // namespace
}  // namespace weft::models::testing
