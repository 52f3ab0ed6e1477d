// Wormhole switches against closed forms: zero load, buffers shorter than a packet, worms that stretch over several
// switches, STOP and GO; and against themselves: every tick, parts, protocols.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "engine/base/error.hpp"
#include "tests/models/network/one_history.hpp"
#include "tests/models/worms/worm_runs.hpp"

namespace weft::models::testing {
namespace {

/// Three levels of switches of two nodes, links or ways each; node 0 and 7 are five switches apart.
WormRun small_tree() {
  WormRun made{.topology = tree(2, 3)};
  made.latencies = {1, 1};
  return made;
}
Send packet_of(Tick generated_at, u32 from, u32 to, u32 cells) {
  return {.tick = generated_at, .from = from, .to = to, .cells = cells};
}
WormRun with(WormRun given, std::vector<Send> packets) {
  given.packets = std::move(packets);
  for (const Send& packet : given.packets) given.most_cells = std::max(given.most_cells, packet.cells);
  return given;
}
/// Runs it, counts all cells and credits in every tick; deliveries by destination, source.
std::map<std::pair<u32, u32>, Tick> delivered(const WormRun& given, const std::function<void(Probe&)>& look = {}) {
  Case setup = given.setup();
  setup.until = 100'000;
  setup.each_tick = [&](Probe& probe) {
    probe.check_conservation();
    if (look) look(probe);
  };
  const Result result = run_script(setup, given.packets);
  EXPECT_TRUE(result.drained) << given.describe();
  std::map<std::pair<u32, u32>, Tick> at;
  for (const Delivery& d : result.deliveries) at[{d.to, d.from}] = d.at;
  return at;
}

TEST(WormNetwork, TakesAPacketThroughAnEmptyNetworkAsTheFormulaSays) {
  for (const bool stop_go : {false, true}) {
    for (const u32 length : {1U, 2U, 30U}) {
      for (const Tick r : {0, 1, 5}) {
        for (const Tick s : {0, 3}) {
          for (const Tick c : {1, 3}) {
            WormRun given = small_tree();
            given.stop_go = stop_go;
            given.cell = c;
            given.routing_ticks = r;
            given.switch_ticks = s;
            given.latencies = {4, 2};
            for (const auto& [to, hops] : {std::pair{1U, 0U}, {3U, 2U}, {7U, 4U}}) {
              EXPECT_EQ(delivered(with(given, {packet_of(5, 0, to, length)})).at({to, 0}),
                        5 + 2 + (hops + 1) * (r + s) + hops * 4 + (length - 1) * c + 2);
            }
          }
        }
      }
    }
  }
}

TEST(WormNetwork, AShortBufferLetsThroughItsCellsPerRoundTrip) {
  // Node link: a cell leaves the buffer in the tick in which it comes, its credit is back 2 D after it was taken.
  WormRun given{.topology = crossbar(4), .buffer_cells = 1, .latencies = {1, 6}};
  given.routing_ticks = 2;
  given.switch_ticks = 3;
  EXPECT_EQ(delivered(with(given, {packet_of(0, 0, 1, 20)})).at({1, 0}), Tick{6 + 2 + 19 * 12 + 3 + 6});
  given.buffer_cells = 4;  // the first four go at once, and so does everything in step with them
  given.routing_ticks = 0;
  EXPECT_EQ(delivered(with(given, {packet_of(0, 0, 1, 20)})).at({1, 0}), Tick{6 + 4 * 12 + 3 + 3 + 6});
  // Between switches the crossbar is part of the round trip.
  WormRun tree = small_tree();
  tree.latencies = {5, 1};
  tree.switch_ticks = 4;
  tree.buffer_cells = 2;
  const Tick first = 1 + 3 * 4 + 2 * 5 + 1;
  EXPECT_EQ(delivered(with(tree, {packet_of(0, 0, 3, 21)})).at({3, 0}), first + 10 * (5 + 5 + 4));
}

TEST(WormNetwork, ABlockedPacketFillsTheBuffersOfAllItsSwitches) {
  for (const u32 buffer : {1U, 2U, 8U}) {
    WormRun given = small_tree();
    given.buffer_cells = buffer;
    // Node 1's packet holds the link to node 0 from 1 to 201; that of node 7 waits for it, in five switches.
    given = with(given, {packet_of(0, 1, 0, 200), packet_of(1, 7, 0, 100)});
    const auto topology = make_topology(given.topology);
    u32 most_full = 0;
    const auto at = delivered(given, [&](Probe& probe) {
      if (buffer < 2 || probe.tick() < 100 || probe.tick() > 190) return;
      u32 full = 0, cells = 0;
      for (u32 r = 0; r < topology->routers(); ++r) {
        for (u32 p = 0; p < topology->ports(RouterId(r)); ++p) {
          const u32 there = probe.buffered(r, p);
          full += there == buffer ? 1 : 0;
          cells += there;
        }
      }
      EXPECT_EQ(full, 5U);
      EXPECT_EQ(cells, 5 * buffer);  // of the one that flows, each leaves in the tick in which it comes
      most_full = std::max(most_full, full);
    });
    if (buffer < 2) continue;
    EXPECT_EQ(most_full, 5U);
    EXPECT_EQ(at.at({0, 1}), Tick{1 + 199 + 1});
    EXPECT_EQ(at.at({0, 7}), Tick{201 + 99 + 1});  // the buffers cover the round trip: no cell is late
  }
}

TEST(WormNetwork, WhatABlockedPacketHoldsIsHeldForOthers) {
  // Node 3 sends to 0, where node 1's long packet is; node 2 shares node 3's way up, and waits though its own is free.
  WormRun given = small_tree();
  given.buffer_cells = 4;
  const auto free = delivered(with(given, {packet_of(5, 2, 0, 4), packet_of(6, 3, 1, 4)}));
  const auto held = delivered(with(given, {packet_of(0, 1, 0, 200), packet_of(5, 2, 0, 40), packet_of(6, 3, 0, 4)}));
  EXPECT_LT(free.at({1, 3}), Tick{40});
  EXPECT_EQ(held.at({0, 2}), Tick{201 + 39 + 1});
  EXPECT_GT(held.at({0, 3}), held.at({0, 2}));
}

TEST(WormNetwork, SaysStopAndGoWhereTheThresholdsAre) {
  // One switch, D = 3: the packet of node 0 waits for that of node 1 until 3 + 100. Cells come from 13 on, one a tick.
  WormRun given{.topology = crossbar(3),
                .buffer_cells = 20,
                .stop_go = true,
                .stop_cells = 8,
                .go_cells = 2,
                .latencies = {1, 3}};
  given = with(given, {packet_of(0, 1, 2, 100), packet_of(10, 0, 2, 50)});
  std::map<Tick, u32> counts;
  const auto at = delivered(given, [&](Probe& probe) { counts[probe.tick()] = probe.buffered(0, 0); });
  EXPECT_EQ(counts.at(12), 0U);
  EXPECT_EQ(counts.at(13), 1U);
  // The eighth is there at 20, STOP at the node at 23; its last cell left at 22, and is there at 25.
  EXPECT_EQ(counts.at(24), 12U);
  EXPECT_EQ(counts.at(25), 13U);
  EXPECT_EQ(counts.at(102), 13U);
  // One leaves in each tick from 103 on: two are left at 113, GO is at the node at 116, the next cell here at 119.
  EXPECT_EQ(counts.at(113), 2U);
  EXPECT_EQ(counts.at(115), 0U);
  EXPECT_EQ(counts.at(119), 0U);
  EXPECT_EQ(at.at({2, 0}), Tick{119 + (50 - 13) - 1 + 3});
}

TEST(WormNetwork, RefusesBuffersThatOverflowBeforeStopIsHeard) {
  WormRun given{.topology = crossbar(3), .buffer_cells = 7, .stop_go = true, .latencies = {1, 3}};
  const auto refused = [](const WormRun& some) -> std::string {
    try {
      static_cast<void>(run_script(some.setup(), some.packets));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  given = with(given, {packet_of(0, 1, 2, 10)});
  EXPECT_NE(refused(given).find("use at least buffer_cells = 8"), std::string::npos) << refused(given);
  given.buffer_cells = 8;
  EXPECT_EQ(refused(given), "");
  given.stop_cells = 3;
  EXPECT_NE(refused(given).find("use at least buffer_cells = 10"), std::string::npos) << refused(given);
  given.buffer_cells = 10;
  given.go_cells = 3;
  EXPECT_NE(refused(given).find("router.go_cells = 3"), std::string::npos) << refused(given);
  Case uneven = given.setup();
  uneven.router.class_cell_ticks.back() = 2;
  EXPECT_THROW(run_script(uneven, {}), ConfigError);
}

class RandomWorms : public ::testing::TestWithParam<u64> {};

TEST_P(RandomWorms, LoseNothingInAnyTickAndHaveOneHistory) {
  for (u64 seed = GetParam(); seed < GetParam() + 60; ++seed) {
    const WormRun given = random_worm_run(seed);
    SCOPED_TRACE(given.describe());
    Case setup = given.setup();
    setup.until = 200'000;
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    const std::vector<Send> script = given.packets;
    const Result alone = run_script(setup, script);
    ASSERT_TRUE(alone.drained);
    setup.each_tick = {};
    setup.router.every_cycle = true;
    const Result cycles = run_script(setup, script);
    ASSERT_EQ(cycles.digest, alone.digest);
    EXPECT_LE(alone.acts, cycles.acts);
    setup.router.every_cycle = false;
    if (seed % 3 == 0) expect_one_history_of_parts(setup, script, alone);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWorms, ::testing::Values(1, 1'001, 2'001, 3'001));

TEST(WormNetwork, HasNoEventForSingleCellsOfASteadyStream) {
  WormRun given = small_tree();
  const auto events = [&](u32 cells) {
    const WormRun some = with(given, {packet_of(0, 0, 7, cells)});
    return run_script(some.setup(), some.packets).wheel_events;
  };
  EXPECT_EQ(events(200), events(4000));
}

}  // namespace
}  // namespace weft::models::testing
