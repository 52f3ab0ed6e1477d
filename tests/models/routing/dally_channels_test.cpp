// Which channels packets of Dally routers lie in, by the rules of Dally and Seitz (IEEE Transactions on Computers
// 36(5), 1987) and of INSEE's variants, judged from whole routes: a packet "will cross" if its route did.
#include <gtest/gtest.h>

#include "tests/models/routing/torus_seen.hpp"

namespace weft::models::testing {
namespace {

/// In a ring channel 1 until the packet is at coordinate 0, channel 0 from there.
Rule trc(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    bool past = false;
    for (std::size_t j = 0; j <= k; ++j) {
      past = past || (t.same_ring(hops[j], hops[k]) && t.coordinate(hops[j].at, t.dimension(hops[j])) == 0);
    }
    return t.in_order(hops, k, t.ascending()) && hops[k].channel == (past ? 0U : 1U);
  });
}
/// Channel 1 while the border is ahead, else channel 0.
Rule basic(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    return t.in_order(hops, k, t.ascending()) && hops[k].channel == (t.will_cross(hops, k) ? 1U : 0U);
  });
}
bool improved_hop(const TorusSeen& t, const std::vector<Hop>& hops, std::size_t k) {
  return t.in_order(hops, k, t.ascending()) &&
         (hops[k].channel == 1 || (hops[k].channel == 0 && !t.will_cross(hops, k)));
}
/// Channel 1 while the border is ahead, else either.
Rule improved(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) { return improved_hop(t, hops, k); });
}
/// Channels from 2 on anywhere on a shortest path.
Rule adaptive(const TorusSeen& t) {
  return t.each(
      [t](const std::vector<Hop>& hops, std::size_t k) { return hops[k].channel >= 2 || improved_hop(t, hops, k); });
}

/// Whether the route crosses the border of hop k's ring, before, by this hop or later.
bool crosses_ring(const TorusSeen& t, const std::vector<Hop>& hops, std::size_t k) {
  return std::any_of(hops.begin(), hops.end(),
                     [&](const Hop& hop) { return t.same_ring(hop, hops[k]) && t.crosses_border(hop); });
}
/// Section 2.2.1 of INSEE's paper, trc: in each ring one channel "until reaching the wrap-around link", the other from
/// that link on, wherever the packet came from.
Rule trc_of_paper(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    const bool past = std::any_of(hops.begin(), hops.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                                  [&](const Hop& hop) { return t.same_ring(hop, hops[k]) && t.crosses_border(hop); });
    return t.in_order(hops, k, t.ascending()) && hops[k].channel == (past ? 0U : 1U);
  });
}
/// basic: "those packets that have to cross the wrap-around links of a dimension ... circulate through one Escape
/// channel in that dimension", to the end of it.
Rule basic_of_paper(const TorusSeen& t) {
  return t.each([t](const std::vector<Hop>& hops, std::size_t k) {
    return t.in_order(hops, k, t.ascending()) && hops[k].channel == (crosses_ring(t, hops, k) ? 1U : 0U);
  });
}
bool improved_hop_of_paper(const TorusSeen& t, const std::vector<Hop>& hops, std::size_t k) {
  return t.in_order(hops, k, t.ascending()) &&
         (hops[k].channel == 1 || (hops[k].channel == 0 && !crosses_ring(t, hops, k)));
}

std::vector<RouteSeen> routes_of_paper(const TorusSeen& t, const std::string& mode, u32 channels) {
  Case setup = case_of(spec(t), "dally", mode, channels);
  setup.router.own.set("channel_rule", std::string("paper"));
  return routes_of(setup);
}

std::vector<RouteSeen> routes(const TorusSeen& t, const std::string& mode, u32 channels) {
  return routes_of(case_of(spec(t), "dally", mode, channels));
}

TEST(DallyChannels, TrcChangesTheChannelAtTheDateLine) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    const auto seen = routes(t, "trc", 2);
    expect_kept(seen, trc(t));
    EXPECT_TRUE(no_cycle_of_channels(seen));
    EXPECT_EQ(channels_used(seen), (std::set<u32>{0, 1}));
    expect_broken(seen, basic(t));
  }
}

TEST(DallyChannels, BasicTakesTheChannelByWhatLiesAhead) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    const auto seen = routes(t, "basic", 2);
    expect_kept(seen, basic(t));
    EXPECT_TRUE(no_cycle_of_channels(seen));
    expect_broken(seen, trc(t));
  }
}

TEST(DallyChannels, ImprovedLetsWhoCrossesNoBorderTakeEither) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    const auto seen = routes(t, "improved", 2);
    expect_kept(seen, improved(t));
    expect_broken(seen, basic(t));
    EXPECT_FALSE(no_cycle_of_channels(seen));  // channel 1 alone has cycles, which channel 0 leads out of
  }
}

TEST(DallyChannels, AdaptiveLeavesTheOrderInItsAdaptiveChannelsOnly) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    for (const u32 channels : {3U, 4U}) {
      const auto seen = routes(t, "adaptive", channels);
      expect_kept(seen, adaptive(t));
      EXPECT_EQ(channels_used(seen).size(), channels);
      expect_broken(seen, improved(t));
      // As if channel 2 were one of those with an order.
      expect_broken(seen, t.each([t](const std::vector<Hop>& hops, std::size_t k) {
        return t.in_order(hops, k, t.ascending());
      }));
    }
  }
}

TEST(DallyChannels, OfThePaperKeepTheirChannelWhereTheProgramChangesIt) {
  for (const TorusSeen& t : {torus_5_6, torus_4_3_5}) {
    const auto trc_seen = routes_of_paper(t, "trc", 2);
    expect_kept(trc_seen, trc_of_paper(t));
    expect_broken(trc_seen, trc(t));
    expect_broken(routes(t, "trc", 2), trc_of_paper(t));
    EXPECT_TRUE(no_cycle_of_channels(trc_seen));
    const auto basic_seen = routes_of_paper(t, "basic", 2);
    expect_kept(basic_seen, basic_of_paper(t));
    expect_broken(basic_seen, basic(t));
    expect_broken(routes(t, "basic", 2), basic_of_paper(t));
    EXPECT_TRUE(no_cycle_of_channels(basic_seen));
    const auto improved_of_paper =
        t.each([t](const std::vector<Hop>& hops, std::size_t k) { return improved_hop_of_paper(t, hops, k); });
    expect_kept(routes_of_paper(t, "improved", 2), improved_of_paper);
    expect_broken(routes(t, "improved", 2), improved_of_paper);
    expect_kept(routes_of_paper(t, "adaptive", 3), t.each([t](const std::vector<Hop>& hops, std::size_t k) {
      return hops[k].channel >= 2 || improved_hop_of_paper(t, hops, k);
    }));
  }
}

TEST(DallyChannels, OfTwistedToriAndMeshesMakeUpNoCycle) {
  for (const char* const mode : {"trc", "basic"}) {
    const TopologySpec twisted{"twisted-torus", {{"dims", std::vector<i64>{6, 3}}, {"twist", std::vector<i64>{3}}}};
    const TopologySpec open{"torus", {{"dims", std::vector<i64>{5, 4}}, {"open_dims", std::vector<i64>{0}}}};
    for (const TopologySpec& topology : {twisted, mesh({4, 4}), open}) {
      EXPECT_TRUE(no_cycle_of_channels(routes_of(case_of(topology, "dally", mode, 2)))) << topology.kind << mode;
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
