// No virtual channel is there for nothing: with however many of them, the packets of every routing on every topology
// that it fits take them all, somewhere in the network.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "models/routing/channel_search.hpp"
#include "models/routing/routing_of.hpp"
#include "tests/models/network/every_router.hpp"
#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

/// Numbers of channels that a kind accepts in a pairing.
std::vector<i64> accepted_channels(const Pairing& pairing, const std::vector<i64>& wanted) {
  const RouterKind& kind = router_kind(pairing.router);
  RouterChoice choice{router_keys(pairing), pairing.mode, pairing.topology.kind, pairing.topology.keys};
  std::vector<i64> accepted;
  for (const i64 channels : wanted) {
    choice.keys.set("virtual_channels", channels);
    if (!kind.check || !kind.check(choice)) accepted.push_back(channels);
  }
  return accepted;
}

/// The routing of a case; none of routers that do not say where packets go.
std::unique_ptr<Routing> routing_in(const Case& setup, const Topology& topology) {
  const RouterKind& kind = router_kind(setup.router.kind);
  if (kind.searched_routes) {
    RouterSettings settings = setup.router;
    kind.resolve(settings, setup.topology.kind);
    return std::move(kind.searched_routes(topology, settings).routing);
  }
  return kind.routing ? routing_of(kind, topology, setup.router) : nullptr;
}

TEST(EveryChannel, IsOnARouteOfEveryRoutingWithAnyNumberOfThem) {
  std::set<std::string> kinds;
  for (const Pairing& pairing : accepted_pairings()) {
    // A route by source has one of the channels of its layer, and small networks have few routes.
    if (pairing.router == "source-route") continue;
    // Channel 1 is for packets that order of dimensions leads nowhere, as parts have failed.
    if (pairing.router == "immucube") continue;
    for (const i64 channels : accepted_channels(pairing, {1, 2, 3, 5, 8, 11, 16})) {
      const Case setup = setup_of(pairing, packets_of(8), channels);
      SCOPED_TRACE(describe(setup));
      const auto topology = make_topology(pairing.topology);
      const auto routing = routing_in(setup, *topology);
      if (!routing) continue;
      const ChannelFindings found = search_channels(
          *topology, *routing, {.virtual_channels = static_cast<u32>(channels), .ignores_conditions = true});
      if (found.channels == 0) continue;  // a single router
      EXPECT_EQ(found.channels, (u64{1} << channels) - 1);
      kinds.insert(pairing.routing.empty() ? pairing.router : pairing.routing);
    }
  }
  for (const char* const kind : {"dally", "dragonfly", "dragonfly-plus", "fat-tree", "forwarding-table", "full-mesh",
                                 "hyperx", "ndt", "slim-fly"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
}

/// What plain routers really take: seen in their queues under load, on links between routers. Escape channels of mode
/// adaptive are for when all others are full.
TEST(EveryChannel, IsTakenUnderLoad) {
  u32 cases = 0;
  for (const Pairing& pairing : accepted_pairings()) {
    const RouterKind& kind = router_kind(pairing.router);
    if (!kind.routing || kind.families.front() == any_family || keeps_bubbles(kind, pairing.mode)) continue;
    const std::vector<i64> channels = accepted_channels(pairing, {pairing.channels.front() + 3});
    if (channels.empty()) continue;
    const Case setup = setup_of(pairing, packets_of(8), channels.front());
    SCOPED_TRACE(describe(setup));
    const u32 routers = make_topology(pairing.topology)->routers();
    if (routers == 1) continue;
    std::set<u32> used, all;
    for (const RouteSeen& route : routes_of(setup, 300)) {
      for (const Hop& hop : route.hops) {
        if (hop.at < routers && hop.next < routers) used.insert(hop.channel);
      }
    }
    const bool escapes = pairing.router == "dally" && pairing.mode == "adaptive";
    for (u32 channel = escapes ? 2 : 0; channel < setup.router.virtual_channels; ++channel) all.insert(channel);
    for (u32 channel = 0; escapes && channel < 2; ++channel) used.erase(channel);
    EXPECT_EQ(used, all);
    ++cases;
  }
  EXPECT_GT(cases, 20U);
}

}  // namespace
}  // namespace weft::models::testing
