// Routes in HyperX networks: the links and channels that packets take keep the rules that they are free of deadlock by,
// and modes that go by output occupancy decide as they say.
#include <gtest/gtest.h>
#include <map>

#include "models/topology/kind/hyperx.hpp"
#include "tests/models/network/every_router.hpp"
#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

const TopologySpec grid_spec{
    "hyperx", {{"dims", std::vector<i64>{4, 3}}, {"nodes_per_router", i64{2}}, {"widths", std::vector<i64>{1, 2}}}};
const HyperX grid({4, 3}, {1, 2}, 2);

/// LoadsOnLines as a test has them.
class LoadsOnLines final : public Occupancy {
 public:
  std::map<u32, u32> of_port;
  std::map<std::pair<u32, u32>, u32> of_neighbour;  ///< by port and far port
  [[nodiscard]] u32 waiting(u32 /*port*/) const override { return 0; }
  [[nodiscard]] u32 taken(u32 /*port*/, u32 /*channel*/) const override { return 0; }
  [[nodiscard]] u32 load(u32 port) const override { return found(of_port, port); }
  [[nodiscard]] u32 remote_waiting(u32 port, u32 far) const override {
    return found(of_neighbour, std::pair{port, far});
  }

 private:
  template <class Map>
  static u32 found(const Map& map, const typename Map::key_type& key) {
    const auto it = map.find(key);
    return it == map.end() ? 0 : it->second;
  }
};

/// As many channels as a mode tells packets apart by in two dimensions.
u32 classes_of(const std::string& mode) { return mode == "dal" ? 4 : 2; }

std::unique_ptr<Routing> hyperx_routing(const HyperX& net, const std::string& mode, i64 bias = 0, i64 threshold = 0) {
  RouterSettings settings;
  settings.kind = "hyperx";
  settings.mode = mode;
  settings.virtual_channels = classes_of(mode);
  settings.own.set("ugal_bias_cells", bias);
  settings.own.set("ugal_threshold_cells", threshold);
  return router_kind("hyperx").routing(net, settings);
}
/// Outputs that a packet asks for at a router with so many channels.
std::vector<u32> outputs_asked(const HyperX& net, const Routing& routing, u32 channels, const RouteState& state,
                               const QueuePlace& at, NodeId to) {
  std::vector<u64> words(8, 0);
  Candidates candidates{OutputSet(words.data(), 8)};
  EXPECT_EQ(routing.route(at, {NodeId(0), to, state}, candidates), Verdict::waits);
  std::vector<u32> outputs;
  for (u32 output = 0; output < channels * net.first_node_port(); ++output) {
    if (candidates.outputs.has(output)) outputs.push_back(output);
  }
  return outputs;
}

/// A packet's way where outputs are of random occupancy.
RouteSeen walked(const Routing& routing, u32 channels, NodeId from, NodeId to, u64 bits) {
  RouteSeen route{from.value(), to.value(), {}};
  RouteState state;
  routing.begin(state, from, to, bits);
  QueuePlace at{grid.router_of(from).value(), grid.port_of(from), 0};
  while (RouterId(at.router) != grid.router_of(to) && route.hops.size() < 16) {
    LoadsOnLines loads;
    for (u32 port = 0; port < grid.first_node_port(); ++port) {
      loads.of_port[port] = engine::scale_to(engine::remix(bits, 100 * route.hops.size() + port), 50);
    }
    routing.decide(state, at, from, to, loads);
    const std::vector<u32> outputs = outputs_asked(grid, routing, channels, state, at, to);
    const u32 port = outputs.at(0) / channels, channel = outputs.at(0) % channels;
    EXPECT_EQ(outputs.size(), 1U);
    const Peer next = grid.peer(RouterId(at.router), port);
    route.hops.push_back({at.router, port, channel, next.id});
    routing.leave(state, at, port, channel);
    at = {next.id, next.port, channel};
  }
  return route;
}

/// The ways of many packets: of modes that go by output occupancy as walked, of others as seen in a busy network.
std::vector<RouteSeen> hyperx_routes(const std::string& mode, u32 channels) {
  if (!goes_by_occupancy(router_kind("hyperx"), mode)) {
    return routes_of(case_of(grid_spec, "hyperx", mode, channels), 200);
  }
  const auto routing = hyperx_routing(grid, mode);
  std::vector<RouteSeen> routes;
  for (u32 from = 0; from < grid.nodes(); ++from) {
    for (u32 to = 0; to < grid.nodes(); ++to) {
      for (u64 k = 0; k < 20; ++k) {
        routes.push_back(
            walked(*routing, classes_of(mode), NodeId(from), NodeId(to), engine::remix(from * 97 + to, k)));
      }
    }
  }
  return routes;
}

/// The hops between routers, with the dimension of each.
struct GridHop {
  Hop hop;
  u32 dimension;
};
std::vector<GridHop> grid_hops(const RouteSeen& route) {
  std::vector<GridHop> hops;
  for (const Hop& hop : route.hops) {
    if (hop.at >= grid.routers() || hop.next >= grid.routers()) continue;
    hops.push_back({hop, grid.dimension_of(hop.port)});
  }
  return hops;
}
u32 ends_apart(const RouteSeen& route) {
  return grid.hops(grid.router_of(NodeId(route.from)).value(), grid.router_of(NodeId(route.to)).value());
}
bool towards(const GridHop& at, const RouteSeen& route) {
  const u32 last = grid.router_of(NodeId(route.to)).value();
  return grid.coordinate(at.hop.next, at.dimension) == grid.coordinate(last, at.dimension);
}

/// Shortest, in order of dimensions in `channel`; or in any order in the channel of the hop.
std::string shortest_way(const RouteSeen& route, bool in_order, u32 channel) {
  const auto hops = grid_hops(route);
  if (hops.size() != ends_apart(route)) return "not the shortest";
  for (u32 k = 0; k < hops.size(); ++k) {
    if (!towards(hops[k], route)) return "not nearer";
    if (in_order && k > 0 && hops[k].dimension <= hops[k - 1].dimension) return "out of order";
    if (hops[k].hop.channel != (in_order ? channel : k)) return "another channel";
  }
  return {};
}

TEST(HyperXChannels, MinimalKeepsToTheOrderOfDimensions) {
  const auto seen = hyperx_routes("minimal", 1);
  expect_kept(seen, [](const RouteSeen& route) { return shortest_way(route, true, 0); });
  expect_broken(seen, [](const RouteSeen& route) { return shortest_way(route, true, 1); });
  EXPECT_TRUE(no_cycle_of_channels(seen));
  std::set<u32> links;
  for (const RouteSeen& route : seen) {
    for (const GridHop& at : grid_hops(route)) {
      if (at.dimension == 1) links.insert(at.hop.port % 2);
    }
  }
  EXPECT_EQ(links.size(), 2U);  // of parallel ones
}

TEST(HyperXChannels, MinAdaptiveRisesWithEachHop) {
  const auto seen = hyperx_routes("min-adaptive", 2);
  expect_kept(seen, [](const RouteSeen& route) { return shortest_way(route, false, 0); });
  expect_broken(seen, [](const RouteSeen& route) {
    const auto hops = grid_hops(route);
    return hops.size() == 2 && hops[0].dimension > hops[1].dimension ? "out of order" : "";
  });
  EXPECT_TRUE(no_cycle_of_channels(seen));
}

/// In order of dimensions to any router in channel 0, and on from there in channel 1.
std::string way_by_a_router(const RouteSeen& route) {
  const auto hops = grid_hops(route);
  for (u32 k = 0; k < hops.size(); ++k) {
    const u32 channel = hops[k].hop.channel;
    if (channel > 1) return "no such channel";
    if (channel == 1 && !towards(hops[k], route)) return "not nearer on the second way";
    if (k == 0) continue;
    const u32 before = hops[k - 1].hop.channel;
    if (channel < before) return "back on the first way";
    if (channel == before && hops[k].dimension <= hops[k - 1].dimension) return "out of order";
  }
  return {};
}
std::string never_longer(const RouteSeen& route) {
  return grid_hops(route).size() == ends_apart(route) ? "" : "longer";
}

TEST(HyperXChannels, ValiantAndUgalChangeTheChannelBehindTheRouterDrawn) {
  for (const char* const mode : {"valiant", "ugal-l", "ugal-g"}) {
    SCOPED_TRACE(mode);
    const auto seen = hyperx_routes(mode, 2);
    expect_kept(seen, way_by_a_router);
    expect_broken(seen, never_longer);
    EXPECT_TRUE(no_cycle_of_channels(seen));
    EXPECT_EQ(channels_used(seen), (std::set<u32>{0, 1}));
    const auto shortest = [](const RouteSeen& route) { return never_longer(route).empty() ? "shortest" : ""; };
    expect_broken(seen, shortest);
  }
}

TEST(HyperXChannels, DalTurnsAsideOnceInADimensionAndRisesWithEachHop) {
  const auto seen = hyperx_routes("dal", 4);
  const auto rule = [](u32 most_misroutes) {
    return [most_misroutes](const RouteSeen& route) -> std::string {
      const auto hops = grid_hops(route);
      std::vector<u32> misroutes(grid.dimensions(), 0);
      const u32 last = grid.router_of(NodeId(route.to)).value();
      for (u32 k = 0; k < hops.size(); ++k) {
        const u32 d = hops[k].dimension;
        if (hops[k].hop.channel != k) return "another channel than its hops";
        if (grid.coordinate(hops[k].hop.at, d) == grid.coordinate(last, d)) return "away from its coordinate";
        misroutes[d] += towards(hops[k], route) ? 0 : 1;
        if (misroutes[d] > most_misroutes) return "misrouted again";
      }
      return hops.size() == ends_apart(route) + misroutes[0] + misroutes[1] ? "" : "longer for nothing";
    };
  };
  expect_kept(seen, rule(1));
  expect_broken(seen, rule(0));
  EXPECT_TRUE(no_cycle_of_channels(seen));
}

/// Ports of the outputs that a packet asks for.
std::vector<u32> ports_asked(const HyperX& net, const Routing& routing, u32 channels, const RouteState& state,
                             const QueuePlace& at, NodeId to) {
  std::vector<u32> ports;
  for (const u32 output : outputs_asked(net, routing, channels, state, at, to)) ports.push_back(output / channels);
  return ports;
}

/// Routers 0 to 4 of a line, a node each; a packet from 0 to 1 through 3, if it takes the longer way.
class OnALine : public ::testing::Test {
 protected:
  /// The first port that it takes.
  u32 taken(const Routing& routing) {
    RouteState state;
    u64 bits = 0;
    do {
      state = {};
      routing.begin(state, NodeId(0), NodeId(1), bits++);
    } while (state.low != 3);
    routing.decide(state, at_source_, NodeId(0), NodeId(1), loads_);
    return ports_asked(line_, routing, 2, state, at_source_, NodeId(1)).at(0);
  }
  static constexpr u32 straight = 0, by_way = 2, on = 1;  ///< ports to 1 and 3; of 3, to 1
  HyperX line_{{5}, {1}, 1};
  QueuePlace at_source_{0, line_.first_node_port(), 0};
  LoadsOnLines loads_;
};

TEST_F(OnALine, UgalTakesTheWayWithLessLoadTimesLinks) {
  loads_.of_port = {{straight, 20}, {by_way, 10}};
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-l")), straight);
  loads_.of_port[straight] = 21;
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-l")), by_way);
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-l", 1)), straight);
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-l", 0, 20)), by_way);
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-l", 0, 21)), straight);
  EXPECT_EQ(taken(*hyperx_routing(line_, "valiant")), by_way);
}

TEST_F(OnALine, UgalGHearsOfTheSecondLink) {
  loads_.of_port = {{straight, 21}, {by_way, 10}};
  loads_.of_neighbour = {{{by_way, on}, 1}};
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-l")), by_way);
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-g")), straight);
  loads_.of_port[straight] = 23;
  EXPECT_EQ(taken(*hyperx_routing(line_, "ugal-g")), by_way);
}

TEST(HyperXDal, TakesTheLeastLoadedDimensionAndTurnsAsideWhereLessWaits) {
  const auto dal = hyperx_routing(grid, "dal");
  // From router 0 to router 5, (1, 1): port 0 in dimension 0, ports 3 and 4 in dimension 1.
  const NodeId to(10);
  const QueuePlace at{0, grid.first_node_port(), 0};
  const auto decided = [&](const LoadsOnLines& loads, RouteState state) {
    dal->decide(state, at, NodeId(0), to, loads);
    return std::pair{ports_asked(grid, *dal, 4, state, at, to), state};
  };
  RouteState fresh;
  dal->begin(fresh, NodeId(0), to, 7);
  LoadsOnLines loads;
  loads.of_port = {{0, 30}, {1, 30}, {2, 30}, {3, 31}, {4, 29}, {5, 29}, {6, 29}};
  EXPECT_EQ(decided(loads, fresh).first, std::vector<u32>{4});
  // Misrouted to (0, 2), by the lighter of two links: 2 x 30 > 3 x 19.
  loads.of_port = {{0, 30}, {1, 99}, {2, 99}, {3, 31}, {4, 31}, {5, 20}, {6, 19}};
  const auto [ports, turned] = decided(loads, fresh);
  EXPECT_EQ(ports, std::vector<u32>{6});
  // Not a second time in that dimension.
  EXPECT_EQ(decided(loads, turned).first, std::vector<u32>{0});
  loads.of_port[6] = 20;
  EXPECT_EQ(decided(loads, fresh).first, std::vector<u32>{0});
}

TEST(HyperXChannels, AreAsManyAsTheLongestWayNeeds) {
  const auto least = [](const std::string& mode, const std::vector<i64>& dims) {
    RouterChoice choice{router_defaults(), mode, "hyperx", {{"dims", dims}}};
    i64 channels = 0;
    do {
      choice.keys.set("virtual_channels", ++channels);
    } while (router_kind("hyperx").check(choice));
    return channels;
  };
  const std::vector<i64> dims{4, 1, 2, 3};
  EXPECT_EQ(least("minimal", dims), 1);
  EXPECT_EQ(least("min-adaptive", dims), 3);
  EXPECT_EQ(least("valiant", dims), 2);
  EXPECT_EQ(least("ugal-l", dims), 2);
  EXPECT_EQ(least("ugal-g", dims), 2);
  EXPECT_EQ(least("dal", dims), 5);
  RouterChoice choice{router_defaults(), "dal", "hyperx", {{"dims", dims}}};
  choice.keys.set("virtual_channels", i64{4});
  EXPECT_EQ(router_kind("hyperx").check(choice)->advice,
            "use virtual_channels = 5, or deadlock.unsafe = true to see it happen");
}

}  // namespace
}  // namespace weft::models::testing
