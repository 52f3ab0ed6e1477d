// The scripted host's own tests, and what all its users share that needs no network model.
#include "tests/models/network/scripted_network.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "models/machine/packets/mask_words.hpp"
#include "models/routing/router_kind.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {

std::string router_of(const Case& setup) {
  if (!setup.router.kind.empty()) return setup.router.kind;
  const TopologyKind* const kind = TopologyRegistry::instance().find(setup.topology.kind);
  WEFT_ASSERT(kind != nullptr);
  return kind->router;
}

RouterSettings settings_of(const Case& setup) {
  RouterSettings settings = setup.router;
  settings.kind = router_of(setup);
  if (const RouterKind& kind = router_kind(settings.kind); kind.resolve) kind.resolve(settings, setup.topology.kind);
  return settings;
}

std::vector<std::string> fast_modes(const TopologySpec& topology, u32 channels) {
  std::vector<std::string> names;
  const auto network = make_topology(topology);
  RouterSettings settings;
  settings.kind = router_of({topology, {}});
  settings.virtual_channels = channels;
  for (const RouterMode& mode : router_kind(settings.kind).modes) {
    settings.mode = mode.name;
    if (!is_plain(*network, settings)) names.push_back(mode.name);
  }
  return names;
}

Result run_script(const Case& asked, const std::vector<Send>& script) {
  Case setup = asked;
  setup.router = settings_of(asked);
  const auto topology = make_topology(setup.topology);
  if (is_plain(*topology, setup.router)) {
    return with_mask_words<PlainWords>(most_channels(*topology, setup.router.virtual_channels),
                                       [&]<unsigned Words>() { return run_plain<Words>(setup, *topology, script); });
  }
  const ScriptedLoop* const loop = ScriptedLoops::instance().find(machine_of(setup.router.kind));
  if (loop == nullptr) throw Bug(fmt::format("no scripted_*.cpp compiles the loops of {} routers", setup.router.kind));
  return loop->run(setup, *topology, script);
}

TopologySpec mesh(std::vector<i64> dims) { return {"mesh", {{"dims", std::move(dims)}}}; }
TopologySpec torus(std::vector<i64> dims) { return {"torus", {{"dims", std::move(dims)}}}; }
TopologySpec tree(i64 arity, i64 levels) { return {"tree", {{"arity", arity}, {"levels", levels}}}; }
TopologySpec thin_tree(i64 down, i64 up, i64 levels) {
  return {"thin-tree", {{"down", down}, {"up", up}, {"levels", levels}}};
}
TopologySpec crossbar(i64 nodes) { return {"crossbar", {{"nodes", nodes}}}; }

RouterSettings packets_of(u32 phits, Tick link_ticks, Tick switch_ticks, Tick cycle_ticks) {
  RouterSettings settings;
  settings.packet_phits = phits;
  settings.cycle_ticks = cycle_ticks;
  settings.packet_ticks = phits * cycle_ticks;
  settings.link_ticks = link_ticks;
  settings.switch_ticks = switch_ticks;
  return settings;
}

std::vector<Send> random_traffic(u32 nodes, u32 per_node, Tick span, u64 seed) {
  std::vector<Send> script;
  for (u32 node = 0; node < nodes; ++node) {
    for (u32 k = 0; k < per_node; ++k) {
      const u64 bits = engine::random_bits(seed, node, k, engine::Use::test);
      const u32 other = engine::scale_to(bits, nodes - 1);
      script.push_back({engine::remix(bits, 0) % span, node, other + (other >= node ? 1U : 0U)});
    }
  }
  return script;
}

std::vector<Send> steady_traffic(u32 nodes, double load, const RouterSettings& timing, Tick span, u64 seed) {
  std::vector<Send> script;
  const u32 chance = static_cast<u32>(load * 1e6 / timing.packet_phits);
  for (u32 node = 0; node < nodes; ++node) {
    for (Tick tick = 0; tick < span; tick += timing.cycle_ticks) {
      const u64 bits = engine::random_bits(seed, node, tick, engine::Use::test);
      if (engine::scale_to(engine::remix(bits, 1), 1'000'000) >= chance) continue;
      const u32 other = engine::scale_to(engine::remix(bits, 2), nodes - 1);
      script.push_back({tick, node, other + (other >= node ? 1U : 0U)});
    }
  }
  return script;
}

std::vector<Tick> times_at(const Result& result, u32 to) {
  std::vector<Tick> times;
  for (const Delivery& d : result.deliveries) {
    if (d.to == to) times.push_back(d.at);
  }
  return times;
}

std::vector<u32> sources_at(const Result& result, u32 to) {
  std::vector<u32> sources;
  for (const Delivery& d : result.deliveries) {
    if (d.to == to) sources.push_back(d.from);
  }
  return sources;
}

std::string describe(const Case& setup) {
  const RouterSettings& r = setup.router;
  return fmt::format(
      "{}, {} router, mode \"{}\", {} channels, queues of {}, packets of {} phits, link {}, switch {}, cycle {}, "
      "arbitration {}, {} injection queues, policy {}, {} consumption, injected in phase {}, from tick {}",
      make_topology(setup.topology)->name(), router_of(setup), r.mode, r.virtual_channels, r.queue_packets,
      r.packet_phits, r.link_ticks, r.switch_ticks, r.cycle_ticks, static_cast<u32>(r.arbitration), r.injection_queues,
      static_cast<u32>(r.injection), r.multiple_consumption ? "multiple" : "single",
      setup.inject_in_act ? "two" : "one", setup.start);
}

TEST(ScriptedNetwork, PacketsGoInAtTheirTicksAndComeOutAtTheirNodes) {
  Case setup{mesh({4, 4}), packets_of(4)};
  const auto result = run_script(setup, {{10, 0, 5}, {30, 7, 7 - 4}, {20, 15, 14}});
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(result.deliveries,
            (std::vector<Delivery>{{10 + 2 + 3, 0, 5, 10}, {20 + 1 + 3, 15, 14, 20}, {30 + 1 + 3, 7, 3, 30}}));
}

TEST(ScriptedNetwork, PacketsThatFindNoSpaceWaitTheirTurn) {
  Case setup{mesh({2}), packets_of(4)};
  setup.router.injection_capacity = 1;
  setup.router.virtual_channels = 2;
  const auto result = run_script(setup, {{0, 0, 1}, {0, 0, 1}, {1, 0, 1}});
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(times_at(result, 1), (std::vector<Tick>{4, 8, 12}));
  EXPECT_EQ(result.deliveries[2].generated, 8U);
}

}  // namespace weft::models::testing
