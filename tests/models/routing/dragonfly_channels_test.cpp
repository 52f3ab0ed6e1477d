// The channels of all modes of dragonflies, by docs/routers.md, as packets take them in the simulator that judges
// switches, where they meet: links inside groups and between them in the order local 0, global 0, local 1, global 1...
#include <gtest/gtest.h>

#include "tests/models/cells/judge.hpp"
#include "tests/models/cells/random_dragonflies.hpp"
#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

constexpr u32 group_routers = 3, router_nodes = 2, group_nodes = group_routers * router_nodes, local_ports = 2;

/// Dragonflies of groups of 3 routers with 2 nodes and 2 global links: all groups that there may be, and so few that
/// three links lead from each to each other.
TopologySpec fly_of(i64 groups) {
  return {"dragonfly",
          {{"nodes_per_router", i64{router_nodes}},
           {"routers_per_group", i64{group_routers}},
           {"global_links", i64{2}},
           {"groups", groups}}};
}

/// The links between routers that packets took, many of them to the next group.
std::vector<RouteSeen> routes_in(const std::string& mode, u32 channels, i64 groups) {
  Lottery draw(5);
  SwitchCase given;
  given.topology = fly_of(groups);
  given.routing = "dragonfly";
  given.modes = {mode};
  given.channels = channels;
  given.most_cells = 4;
  given.buffer_cells = 12;
  given.notice_cells = 1;
  given.links.assign(3, {2, 1});
  given.packets = random_packets(draw, make_topology(given.topology)->nodes(), 4, 1, true);
  send_to_next_group(given, draw, 60);
  RoutesOfCase routes(given);
  std::vector<RouteSeen> seen;
  for (const CasePacket& packet : given.packets) seen.push_back({packet.from, packet.to, {}});
  reference::CellRules rules = routes.rules();
  rules.leaves = [&](reference::Place place, u32 packet, reference::Way way) {
    const Peer next = routes.topology().peer(RouterId(place.at), way.port);
    if (next.kind == Peer::Kind::router) seen[packet].hops.push_back({place.at, way.port, way.channel, next.id});
    routes.leave(place, packet, way);
  };
  const auto outcome =
      reference::CellSwitches(cell_network(given, routes.topology()), cell_packets(given), rules).run(20'000, false);
  EXPECT_EQ(outcome.count(0, never), given.packets.size()) << mode;
  return seen;
}

bool is_global(const Hop& hop) { return hop.port >= local_ports; }
u32 globals(const RouteSeen& route) { return static_cast<u32>(std::ranges::count_if(route.hops, is_global)); }
bool inside(const RouteSeen& route) { return route.from / group_nodes == route.to / group_nodes; }
/// Whether a packet was misrouted behind its first link: it took two inside its first group, or one, and a link out of
/// it on channel 1.
bool was_misrouted(const RouteSeen& route) {
  return !inside(route) && route.hops.size() >= 2 && !is_global(route.hops[0]) &&
         (!is_global(route.hops[1]) || route.hops[1].channel == 1);
}

/// Where a link is in the order of channels.
using Step = std::function<u32(const Hop&)>;
u32 local_before_global(const Hop& hop) { return 2 * hop.channel + (is_global(hop) ? 1 : 0); }
Rule ascends(Step step) {
  return [step](const RouteSeen& route) -> std::string {
    for (std::size_t k = 1; k < route.hops.size(); ++k) {
      if (step(route.hops[k - 1]) >= step(route.hops[k])) return "hop " + std::to_string(k) + " does not go up";
    }
    return {};
  };
}

/// Each link on its channel, on a way of a mode.
struct Scheme {
  u32 inside_channel = 1, most_globals = 2;
  bool may_misroute = false;
};
Rule keeps(const Scheme& scheme) {
  return [scheme](const RouteSeen& route) -> std::string {
    const u32 last = route.to / router_nodes;
    u32 channel = inside(route) ? scheme.inside_channel : 0, locals = 0, at = route.from / router_nodes;
    if (globals(route) > (inside(route) ? 0 : scheme.most_globals)) return "too many groups";
    if (was_misrouted(route) && !scheme.may_misroute) return "misrouted";
    for (std::size_t k = 0; k < route.hops.size(); ++k) {
      const Hop& hop = route.hops[k];
      if (hop.at != at) return "not from where it was";
      at = hop.next;
      locals = is_global(hop) ? 0 : locals + 1;
      const bool misrouted = k == 1 && was_misrouted(route);
      if (locals > 1 && !misrouted) return "two links in a group";
      if (misrouted) ++channel;
      if (hop.channel != channel) return "another channel than " + std::to_string(channel);
      if (is_global(hop)) ++channel;
    }
    return at == last ? "" : "ends elsewhere";
  };
}

struct ModeSeen {
  std::string mode;
  u32 channels;
  Scheme scheme;
};
const std::vector<ModeSeen> modes = {{"minimal", 2, {0, 1}},
                                     {"valiant", 3, {}},
                                     {"ugal-l", 3, {}},
                                     {"ugal-g", 3, {}},
                                     {"par", 4, {.may_misroute = true}}};

TEST(DragonflyChannelOrder, IsKeptInAllModes) {
  for (const ModeSeen& one : modes) {
    for (const i64 groups : {7, 3}) {
      SCOPED_TRACE(one.mode + " in " + std::to_string(groups) + " groups");
      const auto seen = routes_in(one.mode, one.channels, groups);
      expect_kept(seen, keeps(one.scheme));
      expect_kept(seen, ascends(local_before_global));
      EXPECT_TRUE(no_cycle_of_channels(seen));
      expect_broken(seen, ascends([](const Hop& hop) { return 2 * hop.channel + (is_global(hop) ? 0 : 1); }));
      expect_broken(seen, ascends(&Hop::channel));
      Scheme wrong = one.scheme;
      wrong.inside_channel = 1 - wrong.inside_channel;
      expect_broken(seen, keeps(wrong));
      wrong = one.scheme;
      --wrong.most_globals;
      expect_broken(seen, keeps(wrong));
    }
  }
}

TEST(DragonflyChannelOrder, AllWaysOfAModeAreTaken) {
  for (const ModeSeen& one : modes) {
    SCOPED_TRACE(one.mode);
    const auto seen = routes_in(one.mode, one.channels, 7);
    const auto go_by = [&](u32 count) {
      return std::ranges::count_if(seen, [&](const RouteSeen& r) { return !inside(r) && globals(r) == count; });
    };
    EXPECT_GT(go_by(1), 10);
    EXPECT_EQ(go_by(2) > 10, one.mode != "minimal");
    const auto misrouted = std::ranges::count_if(seen, was_misrouted);
    EXPECT_EQ(misrouted > 10, one.mode == "par") << misrouted;
    if (one.mode != "par") continue;
    // Both with and without a second link inside the first group, on a channel more than others.
    EXPECT_TRUE(std::ranges::any_of(seen, [](const RouteSeen& r) { return was_misrouted(r) && is_global(r.hops[1]); }));
    EXPECT_TRUE(
        std::ranges::any_of(seen, [](const RouteSeen& r) { return was_misrouted(r) && !is_global(r.hops[1]); }));
    EXPECT_EQ(channels_used(seen), (std::set<u32>{0, 1, 2, 3}));
    expect_broken(seen, keeps({}));
  }
}

}  // namespace
}  // namespace weft::models::testing
