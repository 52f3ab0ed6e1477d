// Networks of InfiniBand switches: what a packet takes alone, what lanes get of a link, and that nothing is lost.
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "models/machine/cells/settings.hpp"
#include "models/product/switch_kind.hpp"
#include "tests/models/cells/infiniband_cases.hpp"
#include "tests/models/cells/random_cases.hpp"
#include "tests/models/network/one_history.hpp"

namespace weft::models::testing {
namespace {

using List = std::vector<i64>;

/// D_node + (h + 1) (R + S) + h D + (L - 1) + D_node.
TEST(InfinibandSwitches, TakeTheStatedTimeForAPacketAlone) {
  for (const Tick latency : {1U, 5U}) {
    for (const u32 cells : {1U, 5U, 33U}) {
      const Case line = infiniband_case(mesh({6}), 33, latency, {});
      const Tick passing = 4 + 2;
      for (const u32 hops : {1U, 5U}) {
        const Result result = run_script(line, {{7, 0, hops, cells}});
        EXPECT_EQ(ticks_of(result),
                  std::vector<Tick>{7 + latency + (hops + 1) * passing + hops * latency + cells - 1 + latency});
      }
      const Case fat_tree = infiniband_case(tree(4, 2), 33, latency, {{"sl_shares", List{0, 1}}});
      EXPECT_EQ(ticks_of(run_script(fat_tree, {{0, 0, 15, cells}})),
                std::vector<Tick>{3 * passing + 4 * latency + cells - 1});
    }
  }
}

/// Three nodes send all they can to the fourth, on two service levels; counts packets of each by the end.
std::pair<u64, u64> delivered(const Keys& keys, u32 cells = 9) {
  Keys all{{"virtual_channels", i64{2}}, {"sl_shares", List{1, 1}}, {"buffer_cells", i64{64}}};
  all.insert(all.end(), keys.begin(), keys.end());
  Case setup = infiniband_case(crossbar(4), cells, 1, all);
  setup.until = 20'000;
  std::vector<Send> script;
  for (u32 k = 0; k < 3000; ++k) {
    for (const u32 from : {0U, 1U, 2U}) script.push_back({k, from, 3, cells});
  }
  const auto& classes = run_script(setup, script).counters.classes;
  return {classes[0].delivered, classes[1].delivered};
}

TEST(InfinibandSwitches, ShareALinkByTheWeightsOfTheLanes) {
  const auto [a, b] = delivered({{"vl_low", std::string("0:27,1:9")}});
  EXPECT_NEAR(static_cast<double>(a) / static_cast<double>(b), 3.0, 0.02);
  EXPECT_NEAR(static_cast<double>(a + b) * 9, 20'000, 100) << "the link is full";
  const auto [c, d] = delivered({{"vl_low", std::string("0:3,1:1")}});
  EXPECT_NEAR(static_cast<double>(c) / static_cast<double>(d), 1.0, 0.02) << "packets are longer than weights";
  const auto [e, f] =
      delivered({{"vl_high", std::string("1:36")}, {"vl_low", std::string("0:9")}, {"vl_high_limit", i64{1}}});
  EXPECT_NEAR(static_cast<double>(f) / static_cast<double>(e), 8.0, 0.1) << "64 blocks: eight packets of nine, begun";
  const auto [g, h] = delivered({{"vl_high", std::string("1:1")}, {"vl_high_limit", i64{255}}});
  EXPECT_LE(g, 3U) << "those that went before anybody else came";
  EXPECT_GT(h, 2000U);
}

TEST(InfinibandSwitches, ShareALinkOfANodeByTheWeightsOfTheLanes) {
  Case setup =
      infiniband_case(crossbar(3), 9, 1,
                      {{"virtual_channels", i64{2}}, {"sl_shares", List{1, 1}}, {"vl_low", std::string("0:27,1:9")}});
  setup.until = 5'000;
  std::vector<Send> script;
  for (u32 k = 0; k < 2000; ++k) script.push_back({0, 0, 1 + k % 2, 9});
  const auto& classes = run_script(setup, script).counters.classes;
  EXPECT_NEAR(static_cast<double>(classes[0].injected) / static_cast<double>(classes[1].injected), 3.0, 0.05);
}

TEST(InfinibandSwitches, AreFairToInputsOfALane) {
  Case setup = infiniband_case(crossbar(4), 9, 1, {{"virtual_channels", i64{1}}});
  setup.until = 9'000;
  std::vector<Send> script;
  for (u32 k = 0; k < 1000; ++k) {
    for (const u32 from : {0U, 1U, 2U}) script.push_back({k, from, 3, 9});
  }
  std::vector<u32> of_source(3);
  for (const Delivery& d : run_script(setup, script).deliveries) ++of_source[d.from];
  for (const u32 count : of_source) EXPECT_NEAR(count, 333, 3);
}

TEST(InfinibandSwitches, HoldUpALaneByItsFirstPacketAndNoOther) {
  // Node 0 sends to node 3, which node 1 keeps busy, and then to node 2, which is idle.
  const auto latency_to_2 = [](u64 seed, const List& sl2vl) {
    Case setup = infiniband_case(crossbar(4), 33, 1,
                                 {{"virtual_channels", i64{2}},
                                  {"sl_shares", List{1, 1}},
                                  {"sl2vl", sl2vl},
                                  {"route_per", std::string("flow")},
                                  {"buffer_cells", i64{200}}});
    setup.router.seed = seed;
    std::vector<Send> script;
    for (u32 k = 0; k < 20; ++k) script.push_back({0, 1, 3, 33});
    for (u32 k = 0; k < 4; ++k) script.push_back({100, 0, 3, 33});
    script.push_back({300, 0, 2, 33});
    for (const Delivery& d : run_script(setup, script).deliveries) {
      if (d.to == 2) return d.at - d.generated;
    }
    return never;
  };
  constexpr Tick alone = 1 + 4 + 2 + 1 + 32;
  u32 on_others = 0;
  for (u64 seed = 1; seed <= 8; ++seed) {
    EXPECT_GT(latency_to_2(seed, {0, 0}), 2 * alone) << "behind packets that wait for node 3";
    // The flows have their levels at random.
    const Tick with_two = latency_to_2(seed, {0, 1});
    on_others += with_two <= alone + 33 ? 1 : 0;  // behind a packet on the node's link at most
    EXPECT_LE(with_two, latency_to_2(seed, {0, 0}));
  }
  EXPECT_GT(on_others, 0U) << "the lane of node 3 holds up no other";
  EXPECT_LT(on_others, 8U);
}

/// A random case on one of four networks with some of the settings on.
Case random_infiniband(u64 seed, std::vector<Send>& script) {
  Lottery draw(seed);
  const TopologySpec networks[] = {torus({4, 4}), tree(4, 2), crossbar(7), mesh({3, 3})};
  const u32 cells = draw.between(1, 9), lanes = draw.between(2, 5);
  Keys keys{{"virtual_channels", i64{lanes}},
            {"routing_cycles", i64{draw.below(4)}},
            {"buffer_cells", i64{cells + draw.below(3 * cells)}},
            {"vl_high_limit", i64{draw.chance(50) ? 0 : 1}}};
  if (draw.chance(60)) keys.push_back({"sl_shares", List{3, 1, 2}});
  if (draw.chance(50)) keys.push_back({"vl_high", std::string("1:9, 0:3")});
  if (draw.chance(30)) keys.push_back({"queues", std::string("voq")});
  if (draw.chance(30)) keys.push_back({"switching", std::string("store-and-forward")});
  if (draw.chance(30)) keys.push_back({"route_per", std::string("flow")});
  if (draw.chance(20)) keys.push_back({"output_buffer_cells", i64{cells + draw.below(cells)}});
  if (draw.chance(20)) keys.push_back({"engine", std::string("minhop")});
  if (draw.chance(20)) keys.push_back({"window_cells", i64{cells * draw.between(1, 4)}});
  if (draw.chance(20)) keys.push_back({"sl_by", std::string("auto")});
  Case setup = infiniband_case(networks[draw.below(4)], cells, draw.between(1, 4), keys);
  if (setup.topology.kind == "torus" && !setup.router.own.integers("sl_shares").empty())
    setup.router.own.set("engine", std::string("updn"));  // free of deadlock on any lane
  const u32 nodes = make_topology(setup.topology)->nodes();
  for (u32 k = 0; k < 40 * nodes; ++k) {
    const u32 from = draw.below(nodes), to = draw.chance(40) ? 0 : draw.below(nodes);
    if (from != to) script.push_back({draw.below(30 * cells), from, to, draw.between(1, cells)});
  }
  std::ranges::stable_sort(script, {}, &Send::tick);
  return setup;
}

TEST(InfinibandSwitches, ConserveCellsAndCreditsInEveryTickAndDrain) {
  for (u64 seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Send> script;
    Case setup = random_infiniband(seed, script);
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    const Result result = run_script(setup, script);
    ASSERT_EQ(result.deliveries.size(), script.size());
    EXPECT_TRUE(result.drained);
    u64 of_levels = 0;
    for (const ClassCounts& counts : result.counters.classes) of_levels += counts.delivered;
    EXPECT_EQ(of_levels, cells::counted_classes(setup.router) > 1 ? script.size() : 0);
  }
}

TEST(InfinibandSwitches, PartsAndProtocolsAndLookingInEveryTickChangeNothing) {
  for (u64 seed = 101; seed <= 125; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Send> script;
    const Case setup = random_infiniband(seed, script);
    expect_one_history(setup, script);
  }
}

TEST(InfinibandSwitches, AloneCountPacketsByServiceLevel) {
  RouterSettings settings = infiniband_case(crossbar(4), 8, 1, {{"sl_shares", List{1, 1, 1}}}).router;
  EXPECT_EQ(cells::counted_classes(settings), 3U);
  settings.own.set("scheduling", std::string("islip"));
  EXPECT_EQ(cells::counted_classes(settings), 1U) << "a key of theirs that others do not know";
  settings.own.set("traffic_classes", i64{2});
  EXPECT_EQ(cells::counted_classes(settings), 2U);
  settings = infiniband_case(crossbar(4), 8, 1, {{"sl_shares", List(9, 1)}}).router;
  EXPECT_EQ(cells::counted_classes(settings), 1U) << "results have eight classes at most";
}

TEST(InfinibandSwitches, RefusePacketsLongerThanAnMtuOf4096) {
  const Case setup = infiniband_case(crossbar(4), 66, 1, {});
  EXPECT_THROW(static_cast<void>(router_kind("infiniband").bytes(*make_topology(setup.topology), setup.router, 64)),
               ConfigError);
  const Case most = infiniband_case(crossbar(4), 65, 1, {});
  EXPECT_GT(router_kind("infiniband").bytes(*make_topology(most.topology), most.router, 64), 0U);
}

TEST(InfinibandSwitches, SayWhatDoesNotFitThem) {
  const auto key_of = [](const std::string& name, const SettingValue& value) {
    RouterChoice choice{infiniband_keys({{name, value}}), "credits", "torus", {}};
    const auto complaint = router_kind("infiniband").check(choice);
    return complaint ? complaint->key : "";
  };
  EXPECT_EQ(key_of("seed", i64{1}), "");
  EXPECT_EQ(key_of("routing", std::string("dally")), "router.routing");
  EXPECT_EQ(key_of("scheduling", std::string("islip")), "router.scheduling");
  EXPECT_EQ(key_of("virtual_channels", i64{16}), "router.virtual_channels");
  EXPECT_EQ(key_of("traffic_classes", i64{2}), "router.traffic_classes");
  EXPECT_EQ(key_of("iterations", i64{2}), "router.iterations");
  EXPECT_EQ(key_of("one_layer", true), "router.one_layer");
  EXPECT_EQ(key_of("engine", std::string("best")), "router.engine");
  EXPECT_EQ(key_of("sl_shares", List(17, 1)), "router.sl_shares");
  EXPECT_EQ(key_of("sl_shares", List{0, 0}), "router.sl_shares");
  EXPECT_EQ(key_of("sl2vl", List(17, 1)), "router.sl2vl");
  EXPECT_EQ(key_of("sl2vl", List{0, 8}), "router.sl2vl");
  EXPECT_EQ(key_of("vl_low", std::string("0:1")), "router.vl_low");
  EXPECT_EQ(key_of("vl_high", std::string("?")), "router.vl_high");
  for (const std::string kind : {"switch", "extoll", "wormhole"}) {
    RouterChoice choice{router_defaults(), router_kind(kind).modes.front().name, "torus", {}};
    choice.keys.set("virtual_channels", i64{kind == "wormhole" ? 1 : 3});
    if (kind == "wormhole") choice.keys.set("routing", std::string("forwarding-table"));
    EXPECT_FALSE(router_kind(kind).check(choice)) << kind;
    choice.keys.set("scheduling", std::string("vl-arbitration"));
    ASSERT_TRUE(router_kind(kind).check(choice)) << kind;
    EXPECT_EQ(router_kind(kind).check(choice)->key, "router.scheduling");
  }
}

}  // namespace
}  // namespace weft::models::testing
