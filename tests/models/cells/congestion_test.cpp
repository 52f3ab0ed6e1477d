// Congestion control of switches of cells: what windows, marks and rates do, each by itself.
#include "models/nic/congestion.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "models/nic/flow_rate.hpp"
#include "tests/models/cells/plain_switches.hpp"

namespace weft::models::testing {
namespace {

using endpoint::FlowRate;
using endpoint::RateRules;

constexpr u32 whole = endpoint::one_whole;

/// A packet of one cell in each tick, and a window: so many go in each round trip.
TEST(Windows, LetAWindowOfCellsThroughInARoundTrip) {
  constexpr Tick latency = 9;
  constexpr u32 hops = 3, window = 7, packets = 100;
  std::vector<Send> script;
  for (u32 k = 0; k < packets; ++k) script.push_back({k, 0, hops, 1});
  Case setup = plain_switches(mesh({4}), 2, 1, 1, latency,
                              {{"congestion.kind", std::string("windows")},
                               {"congestion.window_cells", i64{window}},
                               {"routing_cycles", i64{2}}});
  setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
  const Result result = run_script(setup, script);
  EXPECT_TRUE(result.drained);
  const std::vector<Tick> ticks = ticks_of(result);
  ASSERT_EQ(ticks.size(), packets);
  constexpr Tick one_way = (hops + 2) * latency + (hops + 1) * 2;
  EXPECT_EQ(ticks.front(), one_way);
  for (u32 p = 0; p + window < packets; ++p) EXPECT_EQ(ticks[p + window] - ticks[p], 2 * one_way);
}

TEST(Windows, BoundWhatIsInFlightOfEveryFlow) {
  constexpr u32 window = 20, phits = 8, sources = 7;
  std::vector<Send> script;
  for (u32 k = 0; k < 60; ++k) {
    for (u32 node = 1; node <= sources; ++node) script.push_back({k, node, 0, 1 + (k + node) % phits});
  }
  u64 most = 0;
  for (Tick until = 5; until < 300; until += 9) {
    Case setup =
        plain_switches(crossbar(sources + 1), 1, phits, 1, 4,
                       {{"congestion.kind", std::string("windows")}, {"congestion.window_cells", i64{window}}});
    setup.until = until;
    const Counters counters = run_script(setup, script).counters;
    most = std::max(most, counters.injected_cells - counters.delivered_cells);
  }
  EXPECT_LE(most, u64{window} * sources);
  EXPECT_GT(most, u64{window - phits} * sources) << "and use it";
}

/// The node's FIFO is searched for a flow that is open: what waits for a far node does not hold up what goes near.
TEST(Windows, OfAFlowThatIsClosedHoldUpNoOther) {
  const Case setup = plain_switches(mesh({6}), 2, 4, 1, 20,
                                    {{"congestion.kind", std::string("windows")}, {"congestion.window_cells", i64{4}}});
  std::vector<Send> script;
  for (u32 k = 0; k < 10; ++k) script.push_back({k, 0, 5, 4});
  script.push_back({10, 0, 1, 4});
  const Result result = run_script(setup, script);
  EXPECT_EQ(times_at(result, 1), (std::vector<Tick>{10 + 3 * 20 + 3}));
  EXPECT_EQ(times_at(result, 5).back(), 9 * (2 * 7 * 20 + 3) + 7 * 20 + 3) << "the others wait for each answer";
}

TEST(Rates, FallByHalfAtTheFirstNotificationAndHalveTheWayBackInFastRecovery) {
  const RateRules rules{.gain = whole / 16, .timer_ticks = 100, .counter_cells = 1'000'000, .least = 1};
  FlowRate rate;
  rate.reduce(rules, 7);
  EXPECT_EQ(rate.current, whole / 2);
  EXPECT_EQ(rate.target, whole);
  EXPECT_EQ(rate.alpha, whole);
  EXPECT_EQ(rate.send(rules, 8, 10, 10), 20U) << "a gap as long as the packets";
  rate.advance(rules, 106);
  EXPECT_EQ(rate.current, whole / 2);
  rate.advance(rules, 107);
  EXPECT_EQ(rate.current, whole / 4 * 3);
  EXPECT_EQ(rate.alpha, whole / 16 * 15);
  FlowRate in_steps = rate;
  in_steps.advance(rules, 207);
  in_steps.advance(rules, 300);
  in_steps.advance(rules, 307);
  rate.advance(rules, 307);
  EXPECT_EQ(rate.current, in_steps.current) << "twice is as once";
  EXPECT_EQ(rate.current, whole / 16 * 15);
  rate.reduce(rules, 307);
  EXPECT_EQ(rate.target, whole / 16 * 15);
  EXPECT_LT(rate.current, whole / 16 * 10) << "alpha was 0.82 by then";
  EXPECT_GT(rate.current, whole / 16 * 8);
}

TEST(Rates, RiseInStepsWhenTheTimerHasExpiredOftenAndFasterWhenTheCounterHasToo) {
  const RateRules rules{.gain = whole / 256,
                        .timer_ticks = 10,
                        .counter_cells = 10,
                        .stages = 2,
                        .step = whole / 100,
                        .fast_step = whole / 10,
                        .least = whole / 1000};
  FlowRate rate;
  for (Tick t = 1; t <= 6; ++t) rate.reduce(rules, t);
  const u32 aim = rate.target;
  EXPECT_LT(aim, whole / 20);
  rate.advance(rules, 6 + 20);
  EXPECT_EQ(rate.target, aim) << "fast recovery";
  rate.advance(rules, 6 + 40);
  EXPECT_EQ(rate.target, aim + 2 * (whole / 100)) << "additive increase";
  EXPECT_GT(rate.send(rules, 46, 25, 25), 25U);
  EXPECT_EQ(rate.target, aim + 4 * (whole / 100)) << "the counter has expired twice: it adds steps of its own";
  static_cast<void>(rate.send(rules, 46, 5, 5));
  EXPECT_EQ(rate.target, aim + 4 * (whole / 100) + whole / 10) << "hyper increase";
  rate.advance(rules, 10'000);
  EXPECT_EQ(rate.limited, 0U);
  EXPECT_EQ(rate.send(rules, 10'000, 5, 5), 5U) << "as fast as the link again";
}

TEST(Rates, AreNeverLessThanTheLeast) {
  const RateRules rules{.timer_ticks = 1000, .least = whole / 50};
  FlowRate rate;
  for (Tick t = 1; t <= 40; ++t) rate.reduce(rules, t);
  EXPECT_EQ(rate.current, whole / 50);
}

Keys marks(u32 buffer_cells) {
  return {{"congestion.kind", std::string("dcqcn")},  {"buffer_cells", i64{buffer_cells}},
          {"congestion.min_cells", i64{40}},          {"congestion.max_cells", i64{160}},
          {"congestion.max_probability", 0.2},        {"congestion.cnp_cycles", i64{100}},
          {"congestion.rate_timer_cycles", i64{110}}, {"congestion.rate_counter_cells", i64{200}},
          {"congestion.rate_gain", 0.0625},           {"congestion.rate_step", 0.01},
          {"congestion.rate_fast_step", 0.05},        {"congestion.rate_least", 0.02}};
}
Keys no_marks(u32 buffer_cells) { return {{"buffer_cells", i64{buffer_cells}}}; }

/// Eight nodes send all that they can to a ninth, behind buffers that would take a thousand cells of each.
TEST(Marks, KeepAnIncastFromFillingBuffersAndItsTargetBusy) {
  std::vector<Send> script;
  for (u32 k = 0; k < 1500; ++k) {
    for (u32 node = 1; node <= 8; ++node) script.push_back({8 * k, node, 0, 8});
  }
  const auto counters = [&](const Keys& keys, Tick until) {
    Case setup = plain_switches(crossbar(9), 1, 8, 1, 5, keys);
    setup.until = until;
    return run_script(setup, script).counters;
  };
  const auto inside = [](const Counters& c) { return c.injected_cells - c.delivered_cells; };
  EXPECT_GT(inside(counters(no_marks(1000), 8000)), 7900U);
  u64 most = 0;
  for (const Tick until : {6000, 7000, 8000, 9000, 10'000}) most = std::max(most, inside(counters(marks(1000), until)));
  EXPECT_LT(most, 1500U) << most;
  const Counters until_then = counters(marks(1000), 6000), later = counters(marks(1000), 10'000);
  EXPECT_GT(later.delivered_cells - until_then.delivered_cells, 3400U)
      << "the target takes a cell in each of 4000 ticks";
  EXPECT_GT(later.marked, later.notifications);
  EXPECT_GT(later.notifications, 0U);
}

/// On a line of switches nodes 1 to 6 send to node 0, three times what it takes; and five of them, a tenth of a cell in
/// each tick, to their neighbour on that side, by the same links.
TEST(Marks, LetVictimsPassATreeOfFullBuffers) {
  std::vector<Send> script;
  for (u32 k = 0; k < 1000; ++k) {
    for (u32 node = 1; node <= 6; ++node) {
      script.push_back({16 * k + node, node, 0, 8});
      if (node > 1 && k % 5 == 0) script.push_back({16 * k + 8 + node, node, node - 1, 8});
    }
  }
  const auto victims = [&](const Keys& keys) {
    Case setup = plain_switches(mesh({7}), 2, 8, 1, 3, keys);
    setup.until = 16'000;
    u64 packets = 0;
    for (const Delivery& delivery : run_script(setup, script).deliveries) packets += delivery.to != 0 ? 1 : 0;
    return packets;
  };
  Keys slow_down = marks(64);
  slow_down.emplace_back("congestion.min_cells", i64{16});
  slow_down.emplace_back("congestion.max_cells", i64{64});
  const u64 without = victims(no_marks(64)), with = victims(slow_down);
  EXPECT_GT(with, 900U) << with << " of 1000";
  EXPECT_LT(without, 700U) << without;
}

}  // namespace
}  // namespace weft::models::testing
