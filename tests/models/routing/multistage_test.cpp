// Tree routing: which way packets go up, and what several up links are worth.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

Case tree_case(TopologySpec topology, const char* mode, u32 channels = 1) {
  Case setup{std::move(topology), packets_of(usual_phits)};
  setup.router.mode = mode;
  setup.router.virtual_channels = channels;
  setup.router.arbitration = Arbitration::round_robin;
  return setup;
}

/// Cycle of the last delivery.
Tick finish(const Result& result) {
  EXPECT_TRUE(result.drained);
  return result.deliveries.back().at;
}

TEST(Multistage, FixedRoutesOfAShiftPermutationDoNotCollideInAFullTree) {
  // Up by source digit: the four nodes of a bottom switch take four different up links, and all arrive at zero-load
  // time.
  std::vector<Send> script;
  for (u32 node = 0; node < 16; ++node) script.push_back({0, node, (node + 4) % 16});
  EXPECT_EQ(finish(run_script(tree_case(tree(4, 2), "static"), script)), 4 + usual_phits - 1);
}

TEST(Multistage, AdaptiveRoutesSpreadOverTheUpLinks) {
  // Nodes 0 and 4 are the same source digit of the bottom switch of an 8:4 tree: the fixed route has them share a link.
  const std::vector<Send> script = {{0, 0, 8}, {0, 4, 9}};
  EXPECT_EQ(finish(run_script(tree_case(thin_tree(8, 4, 2), "static"), script)), 4 + 2 * usual_phits - 1);
  // Adaptive: both prefer the emptiest at random, so they collide sometimes; one that loses goes another way at once.
  u32 apart = 0;
  for (u64 seed = 0; seed < 32; ++seed) {
    Case setup = tree_case(thin_tree(8, 4, 2), "adaptive");
    setup.router.seed = seed;
    const Tick last = finish(run_script(setup, script));
    EXPECT_LE(last, 4 + 1 + usual_phits - 1) << "the loser of a collision took another link in the next cycle";
    apart += last == 4 + usual_phits - 1 ? 1 : 0;
  }
  EXPECT_GE(apart, 16U);  // three quarters are expected
  EXPECT_LT(apart, 32U);
}

TEST(Multistage, OneUpLinkCarriesTheTrafficOfAllItsNodesOneAfterTheOther) {
  std::vector<Send> script;
  for (u32 node = 0; node < 4; ++node) script.push_back({0, node, node + 4});
  EXPECT_EQ(finish(run_script(tree_case(thin_tree(4, 1, 2), "adaptive"), script)), 4 + 4 * usual_phits - 1);
  EXPECT_EQ(finish(run_script(tree_case(thin_tree(4, 2, 2), "static"), script)), 4 + 2 * usual_phits - 1);
}

TEST(Multistage, NeighboursUnderOneSwitchDoNotUseTheUpLinks) {
  const Result result = run_script(tree_case(thin_tree(4, 1, 3), "adaptive"), {{0, 0, 1}, {0, 2, 3}, {0, 1, 2}});
  for (const Delivery& d : result.deliveries) EXPECT_EQ(d.at, 2 + usual_phits - 1);
  EXPECT_EQ(result.distance_max, 2U);
}

TEST(Multistage, MoreChannelsCarryMoreUniformTraffic) {
  const auto delivered = [](u32 channels) {
    Case setup = tree_case(tree(4, 3), "adaptive", channels);
    setup.until = 4'000;
    return run_script(setup, random_traffic(64, 260, 1, 8)).counters.delivered;
  };
  const u64 one = delivered(1), two = delivered(2), four = delivered(4);
  EXPECT_GT(two, one * 115 / 100);
  EXPECT_GT(four, two * 105 / 100);
  EXPECT_LE(four, 64U * 4'000 / usual_phits);
}

/// One channel from the source to the destination, node links included.
std::string keeps_its_channel(const RouteSeen& route) {
  for (const Hop& hop : route.hops) {
    if (hop.channel != route.hops[0].channel) return "leaves its channel";
  }
  return {};
}
/// In the 4-ary 3-tree: up by the digit of the source, `shifted` by the channel or not.
Rule up_by_source_digit(bool shifted) {
  return [shifted](const RouteSeen& route) -> std::string {
    u32 level = 0;
    for (const Hop& hop : route.hops) {
      const bool up = hop.at < 32 && hop.next < 48 && hop.next > hop.at;  // levels have 16 switches each
      if (!up) continue;
      const u32 digit = (level == 0 ? route.from : route.from / 4) + (shifted ? hop.channel : 0);
      if (hop.port != digit % 4) return "goes up by another port";
      ++level;
    }
    return {};
  };
}

TEST(Multistage, StaticPacketsDrawAChannelAndNeverLeaveIt) {
  // Section 2.2.3 of INSEE's paper: "one virtual channel is randomly selected at injection and the packet never leaves
  // it"; the up port is source_id mod k.
  const auto seen = [](const char* mode) { return routes_of(case_of(tree(4, 3), "multistage", mode, 3)); };
  const auto kept = seen("static");
  expect_kept(kept, keeps_its_channel);
  expect_kept(kept, up_by_source_digit(false));
  std::map<u32, u32> drawn;
  for (const RouteSeen& route : kept) ++drawn[route.hops[0].channel];
  ASSERT_EQ(drawn.size(), 3U);
  const double each = static_cast<double>(kept.size()) / 3;
  for (const auto& [channel, packets] : drawn) EXPECT_NEAR(packets, each, 5 * std::sqrt(each)) << channel;
  const auto shifted = seen("static-by-channel");
  expect_kept(shifted, keeps_its_channel);
  expect_kept(shifted, up_by_source_digit(true));
  expect_broken(shifted, up_by_source_digit(false));
  const auto by_credits = seen("static-by-credits");
  expect_kept(by_credits, up_by_source_digit(false));
  expect_broken(by_credits, keeps_its_channel);
}

TEST(Multistage, TreesDoNotDeadlockUnderSaturation) {
  for (const u32 queue : {1U, 4U}) {
    for (const auto mode : {"static", "adaptive"}) {
      Case setup = tree_case(thin_tree(4, 2, 3), mode);
      setup.router.queue_packets = queue;
      EXPECT_TRUE(run_script(setup, random_traffic(64, 40, 1, 2)).drained);
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
