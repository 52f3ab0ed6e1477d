// Which links and channels packets of routers with nodes outside take: indirect cubes, dragonflies, full meshes, trees;
// by the rules that keep each free of deadlock.
#include <gtest/gtest.h>

#include "tests/models/network/every_router.hpp"
#include "tests/models/routing/torus_seen.hpp"

namespace weft::models::testing {
namespace {

/// The hops between routers alone.
std::vector<Hop> between_routers(const RouteSeen& route, u32 routers) {
  std::vector<Hop> hops;
  std::ranges::copy_if(route.hops, std::back_inserter(hops),
                       [&](const Hop& hop) { return hop.at < routers && hop.next < routers; });
  return hops;
}

struct Cube {
  TorusSeen t;
  u32 nodes = 4;  ///< per switch

  [[nodiscard]] TopologySpec spec() const {
    return {"indirect-cube",
            {{"dims", std::vector<i64>(t.dims.begin(), t.dims.end())},
             {"nodes_per_switch", i64{nodes}},
             {"parallel_links", i64{t.links}}}};
  }
  [[nodiscard]] u32 switches() const {
    u32 count = 1;
    for (const u32 size : t.dims) count *= size;
    return count;
  }
  [[nodiscard]] std::vector<RouteSeen> routes(const std::string& mode, u32 channels) const {
    return routes_of(case_of(spec(), "indirect-cube", mode, channels), 200);
  }
  /// A rule for each hop between switches on shortest paths, of a torus or a mesh.
  [[nodiscard]] Rule each(bool torus,
                          std::function<bool(const RouteSeen&, const std::vector<Hop>&, std::size_t)> f) const {
    return [*this, torus, f](const RouteSeen& route) -> std::string {
      const auto hops = between_routers(route, switches());
      const RouteSeen ends{route.from / nodes, route.to / nodes, {}};
      if (const std::string what = t.shortest(ends, hops, torus); !what.empty()) return what;
      for (std::size_t k = 0; k < hops.size(); ++k) {
        if (!f(route, hops, k)) return "hop " + std::to_string(k) + " is not allowed";
      }
      return {};
    };
  }
};
const Cube cube{{{5, 4}, 4}};

TEST(IndirectCubeChannels, StaticKeepsToTheOrderAndToTheLinkOfTheSource) {
  const auto seen = cube.routes("static", 1);
  const auto rule = [](u32 shift) {
    return cube.each(true, [shift](const RouteSeen& route, const std::vector<Hop>& hops, std::size_t k) {
      return cube.t.in_order(hops, k, cube.t.ascending()) &&
             cube.t.link(hops[k]) == (route.from + shift) % cube.t.links;
    });
  };
  expect_kept(seen, rule(0));
  expect_broken(seen, rule(1));
}

TEST(IndirectCubeChannels, AdaptiveTakesChannel0InDimensionOrderOnly) {
  const auto seen = cube.routes("adaptive", 2);
  const auto rule = [](u32 escape) {
    return cube.each(true, [escape](const RouteSeen&, const std::vector<Hop>& hops, std::size_t k) {
      return hops[k].channel != escape || cube.t.in_order(hops, k, cube.t.ascending());
    });
  };
  expect_kept(seen, rule(0));
  expect_broken(seen, rule(1));
  EXPECT_EQ(channels_used(seen), (std::set<u32>{0, 1}));
}

TEST(IndirectCubeChannels, OneMeshCrossesNoBorder) {
  const auto seen = cube.routes("1mesh", 1);
  expect_kept(seen, cube.each(false, [](const RouteSeen& route, const std::vector<Hop>& hops, std::size_t k) {
    const u32 own_link = route.from % cube.nodes % cube.t.links;
    return !cube.t.crosses_border(hops[k]) && cube.t.in_order(hops, k, cube.t.ascending()) &&
           cube.t.link(hops[k]) == own_link;
  }));
  EXPECT_TRUE(no_cycle_of_channels(seen));
  EXPECT_FALSE(no_cycle_of_channels(cube.routes("static", 1)));  // whose rings have bubbles instead
}

/// Link l makes up a mesh whose border in dimension d is that of the torus or, if bit d of l is set, between its
/// halves.
bool in_its_mesh(const Hop& hop, u32 link) {
  const u32 d = cube.t.dimension(hop), size = cube.t.dims[d];
  const auto lower = [&](u32 router) { return 2 * cube.t.coordinate(router, d) < size; };
  const bool border = cube.t.crosses_border(hop), middle = !border && lower(hop.at) != lower(hop.next);
  return (link >> d & 1) != 0 ? !middle : !border;
}

TEST(IndirectCubeChannels, FourMeshesAreLeftByNoPacket) {
  const auto seen = cube.routes("4mesh", 1);
  const auto rule = [](u32 other) {
    return cube.each(true, [other](const RouteSeen&, const std::vector<Hop>& hops, std::size_t k) {
      const u32 link = cube.t.link(hops[k]);
      return link == cube.t.link(hops[0]) && in_its_mesh(hops[k], link ^ other) &&
             cube.t.in_order(hops, k, cube.t.ascending());
    });
  };
  expect_kept(seen, rule(0));
  expect_broken(seen, rule(1));
  expect_broken(seen, rule(2));
  EXPECT_TRUE(no_cycle_of_channels(seen));
}

/// A group of a dragonfly has 4 routers of 2 nodes; ports 0 to 2 stay inside, 3 and 4 lead to other groups.
const TopologySpec fly{"dragonfly",
                       {{"nodes_per_router", i64{2}},
                        {"routers_per_group", i64{4}},
                        {"global_links", i64{2}},
                        {"groups", i64{9}},
                        {"arrangement", std::string("absolute")}}};
constexpr u32 fly_routers = 36, fly_group = 4, fly_group_nodes = 8;

/// At most so many links between groups, a higher channel behind each; `first`: that of the first hop, by whether it
/// stays inside.
Rule rises_between_groups(u32 most_global, std::function<u32(bool)> first) {
  return [=](const RouteSeen& route) -> std::string {
    u32 channel = first(route.from / fly_group_nodes == route.to / fly_group_nodes), global = 0, local = 0;
    for (const Hop& hop : between_routers(route, fly_routers)) {
      if (hop.channel != channel) return "another channel than " + std::to_string(channel);
      const bool leaves = hop.at / fly_group != hop.next / fly_group;
      local = leaves ? 0 : local + 1;
      if (leaves != (hop.port >= 3)) return "no port for that";
      if (local > 1) return "two hops in one group";
      channel += leaves ? 1 : 0;
      global += leaves ? 1 : 0;
    }
    return global <= most_global ? "" : "too many groups";
  };
}

TEST(DragonflyChannels, RiseBehindEachLinkBetweenGroups) {
  const auto from_zero = [](bool) { return 0U; };
  const auto minimal = routes_of(case_of(fly, "dragonfly", "minimal", 2), 100);
  expect_kept(minimal, rises_between_groups(1, from_zero));
  EXPECT_TRUE(no_cycle_of_channels(minimal));
  const auto valiant = routes_of(case_of(fly, "dragonfly", "valiant", 3), 100);
  // Who stays in its group takes channel 1 there, which nobody on his way to another group waits for.
  expect_kept(valiant, rises_between_groups(2, [](bool inside) { return inside ? 1U : 0U; }));
  EXPECT_TRUE(no_cycle_of_channels(valiant));
  expect_broken(valiant, rises_between_groups(1, [](bool inside) { return inside ? 1U : 0U; }));
  expect_broken(minimal, rises_between_groups(1, [](bool) { return 1U; }));
}

TEST(FullMeshChannels, AreThoseOfTheHops) {
  const TopologySpec mesh_of_all{"full-mesh", {{"nodes", i64{7}}}};
  const auto rule = [](std::size_t most) -> Rule {
    return [most](const RouteSeen& route) -> std::string {
      for (std::size_t k = 0; k < route.hops.size(); ++k) {
        if (route.hops[k].channel != k) return "hop " + std::to_string(k) + " in another channel";
      }
      return route.hops.size() <= most && route.hops.back().next == route.to ? "" : "no path of the mode";
    };
  };
  const auto minimal = routes_of(case_of(mesh_of_all, "full-mesh", "minimal", 1));
  expect_kept(minimal, rule(1));
  const auto valiant = routes_of(case_of(mesh_of_all, "full-mesh", "valiant", 2));
  expect_kept(valiant, rule(2));
  expect_broken(valiant, rule(1));
  EXPECT_TRUE(no_cycle_of_channels(valiant));
}

/// Links from each router or NIC to the nearest node.
std::vector<u32> heights(const Topology& topology) {
  const u32 routers = topology.routers();
  std::vector<u32> height(routers + topology.nodes(), 0);
  for (u32 r = 0; r < routers; ++r) height[r] = ~u32{0};
  std::vector<u32> ahead;
  for (u32 n = 0; n < topology.nodes(); ++n) {
    const u32 router = topology.router_of(NodeId(n)).value();
    if (height[router] != 1) ahead.push_back(router);
    height[router] = 1;
  }
  for (std::size_t k = 0; k < ahead.size(); ++k) {
    for (u32 p = 0; p < topology.ports(RouterId(ahead[k])); ++p) {
      const Peer peer = topology.peer(RouterId(ahead[k]), p);
      if (peer.kind != Peer::Kind::router || height[peer.id] != ~u32{0}) continue;
      height[peer.id] = height[ahead[k]] + 1;
      ahead.push_back(peer.id);
    }
  }
  return height;
}

TEST(MultistageChannels, NobodyGoesUpWhoHasGoneDown) {
  u32 tried = 0;
  for (const Pairing& pairing : all_pairings()) {
    if (pairing.router != "multistage") continue;
    for (const i64 channels : pairing.channels) {
      const Case setup = setup_of(pairing, packets_of(8), channels);
      SCOPED_TRACE(describe(setup));
      const auto topology = make_topology(pairing.topology);
      const auto height = heights(*topology);
      const auto turns_once = [&](bool upside_down) -> Rule {
        return [&height, upside_down](const RouteSeen& route) -> std::string {
          bool gone_down = false;
          for (const Hop& hop : route.hops) {
            if (height[hop.at] == height[hop.next]) return "level";
            const bool up = (height[hop.next] > height[hop.at]) != upside_down;
            if (up && gone_down) return "up after down";
            gone_down = gone_down || !up;
          }
          return {};
        };
      };
      const auto seen = routes_of(setup, 200);
      expect_kept(seen, turns_once(false));
      expect_broken(seen, turns_once(true));
      EXPECT_TRUE(no_cycle_of_channels(seen));
      ++tried;
    }
  }
  EXPECT_GE(tried, 8U);
}

}  // namespace
}  // namespace weft::models::testing
