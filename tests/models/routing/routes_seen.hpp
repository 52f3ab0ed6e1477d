// The routes that packets take, as seen in the queues tick by tick, and what any routing's routes can be asked: for
// tests that judge them by the rules of the published schemes.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/routing/channel_graph.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

/// A packet went through a port of a router or NIC (global number), on a virtual channel, and lay in the queue at the
/// far end.
struct Hop {
  u32 at = 0, port = 0, channel = 0;
  u32 next = 0;  ///< router or NIC at the far end
  friend auto operator<=>(const Hop&, const Hop&) = default;
};
struct RouteSeen {
  u32 from = 0, to = 0;
  std::vector<Hop> hops;
};
/// What is wrong with a route; empty if nothing is.
using Rule = std::function<std::string(const RouteSeen&)>;

/// Looks at the queues of a network in every tick.
class Watch {
 public:
  explicit Watch(const Topology& topology) : topology_(topology) {}

  void look(const Probe& probe) {
    probe.for_each_queued([this](const Queued& queued) {
      RouteSeen& route = routes_[{queued.from, queued.generated}];
      route.from = queued.from;
      route.to = queued.to;
      const Hop hop = hop_into(queued);
      if (std::ranges::find(route.hops, hop) == route.hops.end()) route.hops.push_back(hop);
    });
  }
  /// One for each packet; packets are told apart by their source and generation.
  [[nodiscard]] std::vector<RouteSeen> routes() const {
    std::vector<RouteSeen> all;
    for (const auto& [key, route] : routes_) all.push_back(route);
    return all;
  }

 private:
  [[nodiscard]] Hop hop_into(const Queued& queued) const {
    if (queued.entity >= topology_.routers()) {
      const NodeId node(queued.entity - topology_.routers());
      return {topology_.router_of(node).value(), topology_.port_of(node), queued.channel, queued.entity};
    }
    const Peer back = topology_.peer(RouterId(queued.entity), queued.through);
    if (back.kind == Peer::Kind::node) return {topology_.routers() + back.id, 0, queued.channel, queued.entity};
    return {back.id, back.port, queued.channel, queued.entity};
  }

  const Topology& topology_;
  std::map<std::pair<u32, Tick>, RouteSeen> routes_;
};

/// The routes of packets that meet at load 1 for `span` ticks, until all have arrived.
inline std::vector<RouteSeen> routes_of(Case setup, Tick span = 400) {
  const auto topology = make_topology(setup.topology);
  Watch watch(*topology);
  setup.until = 100'000;
  setup.each_tick = [&watch](Probe& probe) { watch.look(probe); };
  const auto script = steady_traffic(topology->nodes(), 1.0, setup.router, span, 11);
  const Result result = run_script(setup, script);
  EXPECT_TRUE(result.drained) << describe(setup);
  const auto routes = watch.routes();
  EXPECT_EQ(routes.size(), script.size());
  return routes;
}
inline Case case_of(TopologySpec topology, const std::string& router, const std::string& mode, u32 channels) {
  Case setup{std::move(topology), packets_of(8)};
  setup.router.kind = router;
  setup.router.mode = mode;
  setup.router.virtual_channels = channels;
  setup.router.queue_packets = 2;
  return setup;
}

/// How many routes break a rule, and what the first of them does.
struct Broken {
  u32 routes = 0;
  std::string first;
};
inline Broken broken(const std::vector<RouteSeen>& routes, const Rule& rule) {
  Broken found;
  for (const RouteSeen& route : routes) {
    const std::string what = rule(route);
    if (what.empty() || found.routes++ > 0) continue;
    found.first = std::to_string(route.from) + " to " + std::to_string(route.to) + ": " + what;
    for (const Hop& hop : route.hops) {
      found.first += "; " + std::to_string(hop.at) + " port " + std::to_string(hop.port) + " channel " +
                     std::to_string(hop.channel);
    }
  }
  return found;
}
inline void expect_kept(const std::vector<RouteSeen>& routes, const Rule& rule) {
  const Broken found = broken(routes, rule);
  EXPECT_EQ(found.routes, 0U) << found.first;
  EXPECT_FALSE(routes.empty());
}
inline void expect_broken(const std::vector<RouteSeen>& routes, const Rule& rule) {
  EXPECT_GT(broken(routes, rule).routes, 0U);
}

/// Whether the queues that packets have waited for from one hop to the next make up no cycle (Dally and Seitz 1987).
inline bool no_cycle_of_channels(const std::vector<RouteSeen>& routes) {
  std::map<Hop, u32> numbers;
  const auto number = [&](const Hop& hop) {
    return numbers.try_emplace(hop, static_cast<u32>(numbers.size())).first->second;
  };
  ChannelGraph graph;
  for (const RouteSeen& route : routes) {
    for (std::size_t k = 0; k + 1 < route.hops.size(); ++k) {
      const u32 next = number(route.hops[k + 1]);
      graph.add({number(route.hops[k]), route.from, route.to}, {&next, 1});
    }
  }
  return graph.find_cycle(TakesCandidate::any).empty();
}

/// Channels that were used at all between routers.
inline std::set<u32> channels_used(const std::vector<RouteSeen>& routes) {
  std::set<u32> used;
  for (const RouteSeen& route : routes) {
    for (const Hop& hop : route.hops) used.insert(hop.channel);
  }
  return used;
}

}  // namespace weft::models::testing
