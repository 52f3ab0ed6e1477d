// Every routing engine on fabrics of many kinds: who arrives, over how many links, and whether packets can wait in
// a cycle.
#include "models/subnet/engine/routing_engine.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <queue>
#include <set>

#include "engine/base/error.hpp"
#include "models/subnet/engine/levels.hpp"
#include "models/subnet/engine/virtual_layers.hpp"
#include "models/subnet/switch_graph.hpp"
#include "models/topology/topology.hpp"
#include "tests/models/subnet/fabric_of.hpp"

namespace weft::models {
namespace {

std::map<std::string, Subnet> fabrics() {
  std::map<std::string, Subnet> all;
  all.emplace("tree", fabric("tree", {{"arity", i64{3}}, {"levels", i64{3}}}));
  all.emplace("clos", fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{3}}, {"leaves", i64{5}}}));
  all.emplace("torus", fabric("torus", {{"dims", std::vector<i64>{5, 4}}}));
  all.emplace("one-way torus", fabric("torus", {{"dims", std::vector<i64>{5, 4}}, {"unidirectional", true}}));
  all.emplace("mesh", fabric("mesh", {{"dims", std::vector<i64>{3, 4}}}));
  all.emplace("dragonfly", fabric("dragonfly", TopologyRegistry::instance().find("dragonfly")->example));
  all.emplace("crossbar", fabric("crossbar", TopologyRegistry::instance().find("crossbar")->example));
  return all;
}

/// Tables of an engine, or none if it does not fit the fabric.
std::optional<FabricRouting> routed(const Subnet& subnet, const std::string& engine) {
  try {
    return route_subnet(subnet, engine);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

std::vector<u32> channels_of(const Subnet& subnet, const FabricRouting& routing, u32 from, u32 target, RouteEnd& end) {
  std::vector<u32> channels;
  end = for_channels(subnet, routing.tables, from, target, [&](u32 channel) { channels.push_back(channel); });
  return channels;
}

/// Whether a set of dependencies has a cycle: repeatedly takes away channels that nothing waits for.
bool has_cycle(const std::set<std::pair<u32, u32>>& dependencies) {
  std::map<u32, std::vector<u32>> next;
  std::map<u32, u32> waiting;
  for (const auto& [a, b] : dependencies) next[a].push_back(b), waiting[a], ++waiting[b];
  std::queue<u32> free;
  for (const auto& [channel, count] : waiting) {
    if (count == 0) free.push(channel);
  }
  std::size_t taken = 0;
  for (; !free.empty(); free.pop(), ++taken) {
    for (const u32 to : next[free.front()]) {
      if (--waiting[to] == 0) free.push(to);
    }
  }
  return taken != waiting.size();
}

/// Dependencies of the routes of a layer.
std::set<std::pair<u32, u32>> dependencies(const Subnet& subnet, const FabricRouting& routing, u32 layer) {
  std::set<std::pair<u32, u32>> found;
  for (u32 from = 0; from < subnet.hosts(); ++from) {
    for (u32 target = 0; target < routing.tables.targets(); ++target) {
      if (from == routing.tables.host_of(target)) continue;
      if (routing.layers.layer(subnet.peer_of_host(from).id, target) != layer) continue;
      RouteEnd end{};
      const auto channels = channels_of(subnet, routing, from, target, end);
      for (std::size_t k = 0; k + 1 < channels.size(); ++k) found.emplace(channels[k], channels[k + 1]);
    }
  }
  return found;
}

TEST(RoutingEngines, BringEveryHostToEveryOther) {
  for (const auto& [name, subnet] : fabrics()) {
    for (const std::string& engine : RoutingEngineRegistry::instance().names()) {
      const auto routing = routed(subnet, engine);
      if (!routing) {
        EXPECT_TRUE(engine == "dmodk" || (engine == "updn" && subnet.one_way())) << engine << " on a " << name;
        continue;
      }
      for (u32 from = 0; from < subnet.hosts(); ++from) {
        for (u32 target = 0; target < subnet.hosts(); ++target) {
          RouteEnd end{};
          static_cast<void>(channels_of(subnet, *routing, from, target, end));
          ASSERT_EQ(end, RouteEnd::arrives) << engine << " on a " << name << ": " << from << " to " << target;
        }
      }
      EXPECT_EQ(unrouted_pairs(subnet, routing->tables).pairs, 0U);
    }
  }
}

TEST(RoutingEngines, TakeShortestWaysWhereTheySaySo) {
  for (const auto& [name, subnet] : fabrics()) {
    const SwitchGraph graph(subnet);
    for (const std::string engine : {"minhop", "sssp", "dor"}) {
      const FabricRouting routing = route_subnet(subnet, engine);
      for (u32 target = 0; target < subnet.hosts(); ++target) {
        const u32 there = subnet.peer_of_host(target).id;
        const auto distance = graph.distances_to(std::span(&there, 1));
        for (u32 from = 0; from < subnet.hosts(); ++from) {
          RouteEnd end{};
          const auto channels = channels_of(subnet, routing, from, target, end);
          ASSERT_EQ(channels.size(), distance[subnet.peer_of_host(from).id] + 2) << engine << " on a " << name;
        }
      }
    }
  }
}

TEST(RoutingEngines, UpAndDownWaysHaveNoCycle) {
  for (const auto& [name, subnet] : fabrics()) {
    for (const std::string engine : {"updn", "dmodk"}) {
      const auto routing = routed(subnet, engine);
      if (!routing) continue;
      EXPECT_FALSE(has_cycle(dependencies(subnet, *routing, 0))) << engine << " on a " << name;
    }
  }
}

TEST(RoutingEngines, ShortestWaysOnATorusHaveCyclesAndTheLayersOfSsspNone) {
  const Subnet subnet = fabric("torus", {{"dims", std::vector<i64>{5, 4}}});
  EXPECT_TRUE(has_cycle(dependencies(subnet, route_subnet(subnet, "minhop"), 0)));
  const FabricRouting routing = route_subnet(subnet, "sssp");
  EXPECT_GT(routing.layers.used, 1U);
  std::size_t dependent = 0;
  for (u32 layer = 0; layer < routing.layers.used; ++layer) {
    const auto found = dependencies(subnet, routing, layer);
    EXPECT_FALSE(has_cycle(found)) << "layer " << layer;
    dependent += found.empty() ? 0 : 1;
  }
  EXPECT_EQ(dependent, routing.layers.used);
}

TEST(RoutingEngines, SsspSaysWhenLayersAreTooFew) {
  const Subnet ring = fabric("torus", {{"dims", std::vector<i64>{6}}});
  try {
    static_cast<void>(route_subnet(ring, "sssp", {.most_layers = 1}));
    ADD_FAILURE() << "one layer does not do for a ring";
  } catch (const ConfigError& error) {
    EXPECT_NE(error.detail().find("cycle of waiting channels (6):\n  "), std::string::npos) << error.detail();
  }
  EXPECT_EQ(route_subnet(ring, "sssp", {.most_layers = 2}).layers.used, 2U);
}

TEST(RoutingEngines, DmodkNamesWhatIsNoFatTree) {
  try {
    static_cast<void>(route_subnet(fabric("torus", {{"dims", std::vector<i64>{4, 4}}}), "dmodk"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("on one level"), std::string::npos) << error.what();
  }
}

TEST(RoutingEngines, GoAsFarAsThereIsToGoRoundOneWayRings) {
  const auto torus = make_topology({"torus", {{"dims", std::vector<i64>{8, 8}}, {"unidirectional", true}}});
  const Subnet subnet = subnet_of(*torus);
  for (const std::string engine : {"dor", "minhop", "sssp"}) {
    const FabricRouting routing = route_subnet(subnet, engine, {.most_layers = 255});
    u64 links = 0;
    for (u32 from = 0; from < 64; ++from) {
      for (u32 target = 0; target < 64; ++target) {
        if (from == target) continue;
        RouteEnd end{};
        links += channels_of(subnet, routing, from, target, end).size() - 2;
        ASSERT_EQ(end, RouteEnd::arrives);
      }
    }
    EXPECT_NEAR(static_cast<double>(links) / (64 * 63), 7.0 * 64 / 63, 1e-12) << engine;
    const RouteLayers layers = break_cycles(subnet, routing.tables, 255);
    EXPECT_TRUE(engine != "dor" || layers.used == 4U) << layers.used;
    FabricRouting layered = route_subnet(subnet, engine, {.most_layers = 255});
    layered.layers = layers;
    for (u32 layer = 0; layer < layers.used; ++layer) {
      EXPECT_FALSE(has_cycle(dependencies(subnet, layered, layer))) << engine << " layer " << layer;
    }
    EXPECT_THROW(static_cast<void>(break_cycles(subnet, routing.tables, 3)), ConfigError);
  }
  EXPECT_TRUE(tree_levels(SwitchGraph(subnet)).empty());
  for (const auto& [engine, word] : {std::pair{"updn", "one way only"}, std::pair{"dmodk", "one-way links"}}) {
    try {
      static_cast<void>(route_subnet(subnet, engine));
      FAIL() << engine;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

TEST(RoutingEngines, DimensionOrderTurnsOnceOnAMesh) {
  const Subnet subnet = fabric("mesh", {{"dims", std::vector<i64>{4, 4}}});
  const FabricRouting routing = route_subnet(subnet, "dor");
  EXPECT_FALSE(has_cycle(dependencies(subnet, routing, 0)));
  for (u32 target = 0; target < 16; ++target) {
    for (u32 s = 0; s < 16; ++s) {
      if (s % 4 == target % 4) continue;
      EXPECT_LE(routing.tables.port(s, target), 2) << "first dimension first";
    }
  }
}

TEST(RoutingEngines, GiveTheSameTablesAgain) {
  const Subnet subnet = fabric("dragonfly", TopologyRegistry::instance().find("dragonfly")->example);
  for (const std::string engine : {"minhop", "updn", "sssp", "dor"}) {
    const FabricRouting one = route_subnet(subnet, engine), two = route_subnet(subnet, engine);
    for (u32 target = 0; target < subnet.hosts(); ++target) {
      EXPECT_TRUE(
          std::equal(one.tables.row(target), one.tables.row(target) + subnet.switches(), two.tables.row(target)));
    }
    EXPECT_EQ(one.to_switches, two.to_switches);
  }
}

TEST(RoutingEngines, CountPairsWithoutAWay) {
  Subnet subnet;
  for (u32 s = 0; s < 2; ++s) subnet.add_switch({.name = "s", .ports = 4});
  for (u32 h = 0; h < 3; ++h) subnet.add_host({.name = "h"});
  subnet.connect_host(0, 0, 1);
  subnet.connect_host(1, 0, 2);
  subnet.connect_host(2, 1, 1);
  for (const std::string engine : {"minhop", "updn", "sssp"}) {
    const auto unrouted = unrouted_pairs(subnet, route_subnet(subnet, engine).tables);
    EXPECT_EQ(unrouted.pairs, 4U) << engine;
    EXPECT_EQ(unrouted.from, 2U);
    EXPECT_EQ(unrouted.to, 0U);
  }
  EXPECT_THROW(static_cast<void>(route_subnet(subnet, "nothing")), ConfigError);
}

TEST(RoutingEngines, EvenOutLinks) {
  // A full tree: every link between switches has equally many routes, up and down.
  const Subnet subnet = fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}});
  for (const std::string engine : {"minhop", "updn", "dmodk", "sssp"}) {
    const FabricRouting routing = route_subnet(subnet, engine);
    std::map<u32, u32> routes;
    for (u32 from = 0; from < subnet.hosts(); ++from) {
      for (u32 target = 0; target < subnet.hosts(); ++target) {
        if (from == target) continue;
        for_channels(subnet, routing.tables, from, target, [&](u32 channel) { ++routes[channel]; });
      }
    }
    for (u32 s = 0; s < 16; ++s) {  // up from the leaves: 4 hosts to 60 others over 4 links
      for (u32 port = 1; port <= 4; ++port) EXPECT_EQ(routes[subnet.channel(s, port)], 60U) << engine;
    }
  }
}

}  // namespace
}  // namespace weft::models
