// Switches of cells with what is off by default: crossbars faster than links, shared input buffers, traffic classes.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "models/routing/traffic_class.hpp"
#include "tests/models/cells/plain_switches.hpp"
#include "tests/models/cells/random_cases.hpp"
#include "tests/models/network/one_history.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

double mean_latency(const ClassCounts& counts) {
  return static_cast<double>(counts.latency) / static_cast<double>(counts.delivered);
}

/// The random case of a seed with some of the additions on, which the seed says too.
Case random_extras(u64 seed, std::vector<Send>& script) {
  const SwitchCase given = random_switch_case(seed);
  Lottery draw(seed ^ 0xe87a5);
  Case setup{given.topology, {}};
  RouterSettings& s = setup.router;
  s.kind = "switch";
  s.virtual_channels = given.channels;
  s.packet_phits = given.most_cells;
  s.switch_ticks = given.switch_ticks;
  for (const Setting& row : router_kind(given.routing).settings) s.own.set(row.name(), row.fallback);
  for (const Setting& row : router_kind("switch").settings) s.own.set(row.name(), row.fallback);
  s.own.set("routing", given.routing);
  s.own.set("routing_mode", given.modes.front());
  s.own.set("queues", std::string(given.fifo ? "fifo" : "voq"));
  s.own.set("scheduling", std::string(draw.chance(15) ? "random" : given.scheduling));
  if (given.iterations != 0) s.own.set("iterations", i64{given.iterations});
  s.transit_priority = given.transit_first ? u64{1} << 63 : 0;
  s.own.set("switching", std::string(given.store_and_forward ? "store-and-forward" : "cut-through"));
  s.own.set("routing_cycles", static_cast<i64>(given.routing_ticks));
  s.own.set("injection_queue_packets", i64{1'000'000});
  const u32 speedup = draw.between(1, 3), classes = draw.between(1, 3), cells = given.most_cells;
  s.own.set("speedup", i64{speedup});
  if (speedup > 1 || draw.chance(30)) s.own.set("output_buffer_cells", i64{cells + draw.below(3 * cells)});
  s.own.set("traffic_classes", i64{classes});
  if (classes > 1 && draw.chance(50)) s.own.set("class_priority", std::string("strict"));
  if (classes == 3 && draw.chance(50)) s.own.set("class_shares", std::vector<i64>{1, 0, 5});
  s.own.set("buffer_cells", i64{given.buffer_cells});
  if (draw.chance(60)) {
    const u32 reserved = cells + draw.below(cells);
    s.own.set("buffers", std::string("shared"));
    s.own.set("reserved_cells", i64{reserved});
    s.own.set("buffer_cells", i64{given.channels * classes * reserved + draw.below(4 * cells)});
  }
  for (const NetworkCase::Link& link : given.links) {
    s.class_link_ticks.push_back(link.latency);
    s.class_cell_ticks.push_back(link.cell * speedup);
  }
  const u32 node_class = make_topology(given.topology)->node_link_class();
  s.class_link_ticks.resize(std::max<std::size_t>(s.class_link_ticks.size(), node_class + 1), given.node_link.latency);
  s.class_cell_ticks.resize(s.class_link_ticks.size(), given.node_link.cell * speedup);
  for (const CasePacket& p : given.packets) script.push_back({p.generated_at, p.from, p.to, p.cells});
  return setup;
}

TEST(SwitchExtras, ConserveCellsAndCreditsInEveryTickAndDrain) {
  for (u64 seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Send> script;
    Case setup = random_extras(seed, script);
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    const Result result = run_script(setup, script);
    ASSERT_EQ(result.deliveries.size(), script.size());
    EXPECT_TRUE(result.drained);
    u64 of_classes = 0;
    for (const ClassCounts& counts : result.counters.classes) {
      EXPECT_EQ(counts.generated, counts.delivered);
      EXPECT_EQ(counts.injected, counts.delivered);
      of_classes += counts.delivered;
    }
    EXPECT_EQ(of_classes, setup.router.own.integer("traffic_classes") > 1 ? script.size() : 0);
  }
}

TEST(SwitchExtras, PartsAndProtocolsAndLookingInEveryTickChangeNothing) {
  for (u64 seed = 201; seed <= 240; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Send> script;
    const Case setup = random_extras(seed, script);
    expect_one_history(setup, script);
  }
}

/// D_node + (h + 1) (R + S) + h D + (L - 1) C + D_node, and (L - 1) (C - X) more at each switch: a packet may not run
/// out of cells in a crossbar that is faster than the link that they come by.
TEST(CrossbarSpeedup, MakesPacketsWaitAtEachSwitchInAnEmptyNetwork) {
  constexpr Tick cell = 4, latency = 7;
  constexpr u32 most = 9, hops = 5;
  for (const u32 speedup : {1U, 2U, 4U}) {
    for (const u32 cells : {1U, 6U, most}) {
      const Case setup = plain_switches(mesh({6}), 2, most, cell, latency,
                                        {{"speedup", i64{speedup}}, {"output_buffer_cells", i64{most}}});
      const Result result = run_script(setup, {{3, 0, hops, cells}});
      const Tick waits = (hops + 1) * (cells - 1) * (cell - cell / speedup);
      EXPECT_EQ(ticks_of(result), std::vector<Tick>{3 + (hops + 2) * latency + (cells - 1) * cell + waits});
    }
  }
}

/// Four nodes send one packet of 4 cells each to a fifth in the same tick: C = 2, X = 1, D = 1, ready at 1 + 3 (2 - 1).
/// The crossbar takes them at 4, 8, 12 and, as 8 cells must hold 4 and what the link has not taken, 20.
TEST(CrossbarSpeedup, FillsTheOutputBufferAsFarAsItHoldsPackets) {
  const Keys twice{{"speedup", i64{2}}, {"output_buffer_cells", i64{8}}};
  Case setup = plain_switches(crossbar(5), 1, 4, 2, 1, twice);
  setup.router.own.set("buffer_cells", i64{4});
  std::vector<Send> script;
  for (u32 node = 0; node < 4; ++node) script.push_back({0, node, 4, 4});
  // The link is never idle: cells leave at 4, 12, 20 and 28, and the last of a packet is there 3 C + D later.
  EXPECT_EQ(ticks_of(run_script(setup, script)), (std::vector<Tick>{11, 19, 27, 35}));
  // Buffers for one packet: who sends again sees by the credits when the packet before left the input. The credits of
  // the first three are back from 5, 9 and 13 on, one a tick, so there are 4 at 8, 12 and 16; the fourth's at 24.
  for (u32 node = 0; node < 4; ++node) script.push_back({1, node, node == 3 ? 0U : 3U, 4});
  const std::vector<Tick> all = ticks_of(run_script(setup, script));
  EXPECT_EQ(all.size(), 8U);
  EXPECT_EQ(times_at(run_script(setup, script), 0), (std::vector<Tick>{24 + 1 + 3 + 3 * 2 + 1}));
}

TEST(CrossbarSpeedup, LetsFifosDeliverMore) {
  std::vector<Send> script = random_traffic(8, 400, 800, 5);
  const auto delivered = [&](u32 speedup) {
    Case setup = plain_switches(crossbar(8), 1, 4, 2, 1, {{"queues", std::string("fifo")}, {"speedup", i64{speedup}}});
    if (speedup > 1) setup.router.own.set("output_buffer_cells", i64{64});
    setup.until = 3000;
    return static_cast<double>(run_script(setup, script).counters.delivered_cells) / (3000.0 / 2 * 8);
  };
  const double alike = delivered(1), faster = delivered(2);
  EXPECT_LT(alike, 0.70) << "the first packets of FIFOs hold up the others: 0.59 in large switches";
  EXPECT_GT(faster, 0.9);
}

/// One channel of two is used, that of packets that do not cross the border of a ring: a packet for each round trip of
/// its buffer.
TEST(SharedBuffers, GiveABusyChannelTheSpaceOfTheOthers) {
  constexpr Tick latency = 40;
  std::vector<Send> script;
  for (u32 k = 0; k < 100; ++k) script.push_back({k, 0, 1, 8});
  const auto last = [&](const Keys& keys) {
    Case setup = plain_switches(torus({4}), 2, 8, 1, latency, keys);
    setup.router.own.set("routing", std::string("dally:basic"));
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    return ticks_of(run_script(setup, script)).back();
  };
  const Keys apart{{"buffer_cells", i64{48}}};
  const Keys together{{"buffer_cells", i64{96}}, {"buffers", std::string("shared")}};
  const Tick alone = last(apart), shared = last(together);
  EXPECT_GT(alone, 800 * (2 * latency) / 48) << "48 cells a round trip";
  EXPECT_LT(shared, 1100U) << "88 cells a round trip: nearly the whole link";
  // With all of it reserved a shared buffer is as one for each channel.
  EXPECT_EQ(last({{"buffer_cells", i64{96}}, {"buffers", std::string("shared")}, {"reserved_cells", i64{48}}}), alone);
}

/// All nodes of a crossbar send to one, far more than it takes.
Result overload(const std::string& priority, const std::string& queues) {
  Case setup = plain_switches(crossbar(6), 1, 4, 1, 2,
                              {{"traffic_classes", i64{2}},
                               {"class_priority", priority},
                               {"queues", queues},
                               {"class_shares", std::vector<i64>{3, 1}}});
  std::vector<Send> script;
  for (u32 k = 0; k < 200; ++k) {
    for (u32 node = 1; node < 6; ++node) script.push_back({Tick{10} * k + node, node, 0, 1 + (k + node) % 4});
  }
  const Result result = run_script(setup, script);
  EXPECT_TRUE(result.drained);
  return result;
}

TEST(TrafficClasses, AreDrawnByTheirShares) {
  const std::vector<u32> shares{1, 0, 3};
  std::array<u32, 3> drawn{};
  for (u64 k = 0; k < 40'000; ++k) ++drawn[traffic_class(bits_of(3, k), shares)];
  EXPECT_NEAR(drawn[0], 10'000, 300);
  EXPECT_EQ(drawn[1], 0U);
  EXPECT_NEAR(drawn[2], 30'000, 300);
  const std::vector<u32> one{7};
  EXPECT_EQ(traffic_class(~u64{0}, one), 0U);
}

TEST(TrafficClasses, StrictPriorityFavoursTheFirst) {
  for (const char* queues : {"voq", "fifo"}) {
    const Result strict = overload("strict", queues), none = overload("none", queues);
    const auto& of_strict = strict.counters.classes;
    const auto& of_none = none.counters.classes;
    EXPECT_EQ(of_strict[0].delivered, of_none[0].delivered) << "the classes of packets are the same";
    EXPECT_GT(of_strict[0].delivered, 650U);
    EXPECT_GT(of_strict[1].delivered, 150U);
    EXPECT_LT(mean_latency(of_strict[0]), 100.0) << "three quarters of the traffic, less than the node takes";
    EXPECT_GT(mean_latency(of_strict[1]), 500.0);
    EXPECT_GT(mean_latency(of_none[0]), 2 * mean_latency(of_strict[0])) << queues;
    EXPECT_LT(mean_latency(of_none[1]), mean_latency(of_strict[1])) << queues;
  }
}

/// On a torus the packets of class 1 keep to one channel of dimension order, those of class 0 take any way.
TEST(TrafficClasses, HaveModesAndChannelsOfTheirOwn) {
  const auto run = [](const std::string& modes) {
    Case setup =
        plain_switches(torus({4, 4}), 3, 8, 1, 3,
                       {{"traffic_classes", i64{2}}, {"routing", std::string("dally")}, {"class_modes", modes}});
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    return run_script(setup, random_traffic(16, 40, 400, 9));
  };
  const Result both = run("adaptive, basic");
  EXPECT_TRUE(both.drained);
  EXPECT_NE(both.digest, run("adaptive, adaptive").digest);
  EXPECT_NE(both.digest, run("basic, basic").digest);
  EXPECT_EQ(both.digest, run("adaptive basic").digest) << "commas or blanks";
}

}  // namespace
}  // namespace weft::models::testing
