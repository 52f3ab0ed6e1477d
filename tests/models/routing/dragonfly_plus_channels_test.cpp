// Which links and channels packets take in dragonflies+: the order that keeps them free of deadlock, as seen in the
// queues of plain routers, and asked of the routing itself where it goes by output occupancy.
#include <functional>
#include <gtest/gtest.h>
#include <map>

#include "models/routing/channel_search.hpp"
#include "models/routing/occupancy.hpp"
#include "models/topology/kind/dragonfly_plus.hpp"
#include "tests/models/network/every_router.hpp"
#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

TopologySpec fly_plus(i64 leaves, i64 spines, i64 h, i64 q, i64 groups) {
  return {"dragonfly-plus",
          {{"nodes_per_router", i64{2}},
           {"leaves", leaves},
           {"spines", spines},
           {"global_links", h},
           {"parallel_links", q},
           {"groups", groups},
           {"arrangement", std::string("palm-tree")}}};
}
/// One link between two groups; two of them, of which a spine has none, one or both; two from a leaf to a spine.
const std::vector<TopologySpec>& flies_plus() {
  static const std::vector<TopologySpec> all{fly_plus(3, 2, 2, 1, 5), fly_plus(2, 2, 4, 1, 4), fly_plus(2, 3, 2, 2, 4)};
  return all;
}

/// A hop's place in the order in which the links and channels of a route come: up, global and down in channels of class
/// 0, and the same in those of class 1.
u32 step_of(const DragonflyPlus& net, u32 at, u32 port, u32 number) {
  const RouterId router(at);
  return 3 * number + (net.is_leaf(router) ? 0 : port >= net.first_global_port() ? 1 : 2);
}
/// Later in the order with every hop, by so many links between groups at most, and down to the last leaf.
/// `lower`: how many channels are of class 0.
std::string in_order(const DragonflyPlus& net, const RouteSeen& route, u32 most_global, u32 lower) {
  u32 global = 0, before = 0, hops = 0;
  for (const Hop& hop : route.hops) {
    if (hop.at >= net.routers() || hop.next >= net.routers()) continue;
    const u32 step = step_of(net, hop.at, hop.port, hop.channel < lower ? 0 : 1);
    if (hops++ > 0 && step <= before) return "step " + std::to_string(step) + " behind " + std::to_string(before);
    before = step;
    global += step % 3 == 1 ? 1 : 0;
  }
  const bool inside = net.group_of(NodeId(route.from)) == net.group_of(NodeId(route.to));
  if (inside && hops > 2) return "leaves its group";
  return global <= most_global ? "" : "too many groups";
}

TEST(DragonflyPlusChannels, OfPlainRoutersComeInOrder) {
  for (const TopologySpec& spec : flies_plus()) {
    const auto made = make_topology(spec);
    const auto& net = dynamic_cast<const DragonflyPlus&>(*made);
    for (const auto& [mode, channels, lower, most_global] :
         std::vector<std::tuple<std::string, u32, u32, u32>>{{"minimal", 1, 1, 1},
                                                             {"minimal", 2, 2, 1},
                                                             {"adaptive", 1, 1, 1},
                                                             {"valiant", 2, 1, 2},
                                                             {"valiant", 3, 2, 2}}) {
      SCOPED_TRACE(net.name() + " " + mode);
      const auto seen = routes_of(case_of(spec, "dragonfly-plus", mode, channels), 100);
      const auto rule = [&net, lower = lower](u32 most) -> Rule {
        return [&net, most, lower](const RouteSeen& route) { return in_order(net, route, most, lower); };
      };
      expect_kept(seen, rule(most_global));
      expect_broken(seen, rule(most_global - 1));
      EXPECT_TRUE(no_cycle_of_channels(seen));
    }
    // Shortest routes take any channel, adaptive ones all ways that are as short.
    const auto adaptive = routes_of(case_of(spec, "dragonfly-plus", "adaptive", 3), 100);
    EXPECT_EQ(channels_used(adaptive), (std::set<u32>{0, 1, 2}));
    EXPECT_TRUE(no_cycle_of_channels(adaptive));
  }
}

TEST(DragonflyPlusChannels, CloseNoCircleInWhateverIsDecidedButWithOneForBothWaysUp) {
  for (const TopologySpec& spec : flies_plus()) {
    const auto net = make_topology(spec);
    const auto found = [&](const char* mode, u32 channels) {
      RouterSettings settings = case_of(spec, "dragonfly-plus", mode, channels).router;
      settings.own = router_defaults();
      const auto routing = router_kind("dragonfly-plus").routing(*net, settings);
      return search_channels(*net, *routing, {.virtual_channels = channels, .takes = TakesCandidate::any}).answer;
    };
    using Found = ChannelFindings::Answer;
    for (const char* mode : {"minimal", "adaptive"}) EXPECT_EQ(found(mode, 1), Found::free) << net->name();
    for (const char* mode : {"valiant", "ugal-l", "ugal-g", "fpar"}) {
      EXPECT_EQ(found(mode, 2), Found::free) << net->name() << " " << mode;
      EXPECT_EQ(found(mode, 1), Found::cycle) << net->name() << " " << mode;
    }
  }
}

/// Occupancy of a router's outputs, as a function.
class Loads final : public Occupancy {
 public:
  using Port = std::function<u32(u32 port)>;
  using Far = std::function<u32(u32 port, u32 far_port)>;
  explicit Loads(Port load, Far remote = {}) : load_(std::move(load)), remote_(std::move(remote)) {}
  u32 waiting(u32 port) const override { return load_(port); }
  u32 taken(u32 /*port*/, u32 /*channel*/) const override { return 0; }
  u32 load(u32 port) const override { return load_(port); }
  u32 remote_waiting(u32 port, u32 far_port) const override { return remote_ ? remote_(port, far_port) : 0; }

 private:
  Port load_;
  Far remote_;
};

/// A routing taken at its word.
class Walker {
 public:
  Walker(const TopologySpec& spec, const std::string& mode, u32 channels)
      : made_(make_topology(spec)), net_(dynamic_cast<const DragonflyPlus&>(*made_)), channels_(channels) {
    RouterSettings settings = case_of(spec, "dragonfly-plus", mode, channels).router;
    settings.own = router_defaults();
    routing_ = router_kind("dragonfly-plus").routing(*made_, settings);
  }
  [[nodiscard]] const DragonflyPlus& net() const { return net_; }
  [[nodiscard]] const Routing& routing() const { return *routing_; }

  /// The route between two nodes; `loads` are those of all routers, of several candidates it takes one by `bits`.
  [[nodiscard]] RouteSeen walk(u32 from, u32 to, u64 bits, const std::function<Loads(RouterId)>& loads) const {
    RouteSeen route{from, to, {}};
    RouteState state;
    routing_->begin(state, NodeId(from), NodeId(to), bits);
    const RouterId last = net_.router_of(NodeId(to));
    QueuePlace at{net_.router_of(NodeId(from)).value(), net_.port_of(NodeId(from)), 0};
    while (RouterId(at.router) != last && route.hops.size() < 10) {
      if (routing_->decides()) routing_->decide(state, at, NodeId(from), NodeId(to), loads(RouterId(at.router)));
      const std::vector<u32> outputs = ask(at, {NodeId(from), NodeId(to), state});
      EXPECT_FALSE(outputs.empty());
      if (outputs.empty()) break;
      const u32 output =
          outputs[engine::scale_to(engine::remix(bits, route.hops.size()), static_cast<u32>(outputs.size()))];
      const u32 port = output / channels_, channel = output % channels_;
      const Peer far = net_.peer(RouterId(at.router), port);
      EXPECT_EQ(far.kind, Peer::Kind::router);
      routing_->leave(state, at, port, channel);
      route.hops.push_back({at.router, port, channel, far.id});
      at = {far.id, far.port, channel};
    }
    EXPECT_EQ(RouterId(at.router), last);
    return route;
  }

 private:
  [[nodiscard]] std::vector<u32> ask(const QueuePlace& at, const PacketOnRoute& packet) const {
    const u32 outputs = net_.ports(RouterId(at.router)) * channels_;
    std::vector<u64> words(outputs / 64 + 1, 0);
    Candidates candidates{OutputSet(words.data(), static_cast<u32>(words.size()))};
    EXPECT_EQ(routing_->route(at, packet, candidates), Verdict::waits);
    EXPECT_EQ(candidates.escape, Candidates::none);
    std::vector<u32> result;
    for (u32 o = 0; o < outputs; ++o) {
      if (candidates.outputs.has(o)) result.push_back(o);
    }
    return result;
  }

  std::unique_ptr<Topology> made_;
  const DragonflyPlus& net_;
  u32 channels_;
  std::unique_ptr<Routing> routing_;
};

Loads empty_outputs(RouterId /*router*/) {
  return Loads([](u32) { return 0U; });
}

TEST(DragonflyPlusChannels, ComeInOrderHoweverFullOutputsAre) {
  for (const TopologySpec& spec : flies_plus()) {
    for (const char* mode : {"minimal", "adaptive", "valiant", "ugal-l", "ugal-g", "fpar"}) {
      const Walker walker(spec, mode, 2);
      const DragonflyPlus& net = walker.net();
      SCOPED_TRACE(net.name() + " " + mode);
      const bool shortest = std::string(mode) == "minimal" || std::string(mode) == "adaptive";
      std::map<std::size_t, u32> lengths;  // of routes between groups
      for (u64 trial = 0; trial < 4'000; ++trial) {
        const u64 bits = engine::remix(trial, 17);
        const u32 from = engine::scale_to(engine::remix(trial, 18), net.nodes());
        const u32 to = engine::scale_to(engine::remix(trial, 19), net.nodes());
        const auto drawn = [bits](RouterId router) {
          return Loads([=](u32 port) { return engine::scale_to(engine::remix(bits + router.value(), port), 100); },
                       [=](u32 port, u32 far) { return engine::scale_to(engine::remix(bits + far, port), 100); });
        };
        const RouteSeen route = walker.walk(from, to, bits, drawn);
        ASSERT_EQ(in_order(net, route, shortest ? 1 : 2, shortest ? 2 : 1), "") << from << " to " << to;
        if (net.group_of(NodeId(from)) != net.group_of(NodeId(to))) ++lengths[route.hops.size()];
      }
      // Up, over, down; over twice where a spine has both links; down and up again in between where it has not.
      EXPECT_EQ(lengths.size(), shortest ? 1U : 3U);
      EXPECT_GT(lengths[3], 0U);
      EXPECT_EQ(lengths.contains(4) && lengths.contains(6), !shortest);
    }
  }
}

TEST(DragonflyPlusRouting, TakesTheShortestWayThroughAnEmptyNetworkAndAnotherRoundALoadedLink) {
  for (const TopologySpec& spec : flies_plus()) {
    for (const char* mode : {"ugal-l", "ugal-g", "fpar"}) {
      const Walker walker(spec, mode, 2);
      const DragonflyPlus& net = walker.net();
      SCOPED_TRACE(net.name() + " " + mode);
      u32 turned = 0, routes = 0;
      for (u32 from = 0; from < net.nodes(); ++from) {
        const u32 to = net.nodes() - 1 - from, home = net.group_of(NodeId(from)), target = net.group_of(NodeId(to));
        if (home == target) continue;
        const u64 bits = engine::remix(from, 3);
        EXPECT_EQ(walker.walk(from, to, bits, empty_outputs).hops.size(), 3U);
        // All spines with a link to the last group are full, as the leaf's own outputs or what it is told say.
        const auto full = [&](RouterId router) {
          const auto leads = [&net, home, target](u32 up) {
            return net.links_of_spine(home, target, up / net.shape().parallel_links).count > 0;
          };
          const bool at_leaf = net.is_leaf(router), tells = std::string(mode) == "ugal-g";
          return Loads([=](u32 port) { return at_leaf && !tells && leads(port) ? 1000U : 1U; },
                       [=](u32 port, u32) { return leads(port) ? 1000U : 0U; });
        };
        turned += walker.walk(from, to, bits, full).hops.size() > 3 ? 1 : 0;
        ++routes;
      }
      EXPECT_GT(turned, routes / 10);  // where not all spines have such a link
    }
  }
}

TEST(DragonflyPlusRouting, RevisesWhatItsLeafDecidedAtTheFirstSpineWithFpar) {
  const TopologySpec spec = fly_plus(3, 2, 4, 1, 9);
  const Walker progressive(spec, "fpar", 2), once(spec, "ugal-l", 2);
  const DragonflyPlus& net = progressive.net();
  // Leaves see nothing, spines that their link to the last group is full.
  u32 turned = 0, routes = 0;
  for (u32 from = 0; from < net.nodes(); ++from) {
    const u32 to = (from + net.nodes() / 2) % net.nodes(), target = net.group_of(NodeId(to));
    const auto full = [&](RouterId router) {
      const bool leaf = net.is_leaf(router);
      return Loads([&net, router, leaf, target](u32 port) {
        if (leaf || port < net.first_global_port()) return 0U;
        return net.group(RouterId(net.peer(router, port).id)) == target ? 1000U : 0U;
      });
    };
    const u64 bits = engine::remix(from, 5);
    EXPECT_EQ(once.walk(from, to, bits, full).hops.size(), 3U);
    turned += progressive.walk(from, to, bits, full).hops.size() > 3 ? 1 : 0;
    ++routes;
  }
  EXPECT_GT(turned, routes / 2);  // but for those that drew the full port again
  EXPECT_LT(turned, routes);
}

TEST(DragonflyPlusRouting, HearsOfLinksBetweenGroupsFromSpinesAlone) {
  const Walker walker(fly_plus(3, 2, 2, 1, 5), "ugal-g", 2);
  const DragonflyPlus& net = walker.net();
  EXPECT_TRUE(walker.routing().uses_remote_occupancy());
  EXPECT_TRUE(walker.routing().notifies(net.spine(1, 0), 3, 2));
  EXPECT_FALSE(walker.routing().notifies(net.spine(1, 0), 2, 1));  // of a link inside the group
  EXPECT_FALSE(walker.routing().notifies(net.spine(1, 0), 3, 4));  // the other groups
  EXPECT_FALSE(walker.routing().notifies(net.leaf(1, 0), 3, 0));
}

TEST(DragonflyPlusRouting, NeedsAsManyChannelsAsItsModeGoesUp) {
  for (const auto& [mode, least] : std::vector<std::pair<std::string, i64>>{
           {"minimal", 1}, {"adaptive", 1}, {"valiant", 2}, {"ugal-l", 2}, {"ugal-g", 2}, {"fpar", 2}}) {
    RouterChoice choice{router_defaults(), mode, "dragonfly-plus", {}};
    const auto complaint = [&](i64 channels) {
      choice.keys.set("virtual_channels", channels);
      return router_kind("dragonfly-plus").check(choice);
    };
    EXPECT_FALSE(complaint(least)) << mode;
    if (least == 1) continue;
    const auto found = complaint(least - 1);
    ASSERT_TRUE(found) << mode;
    EXPECT_EQ(found->key, "router.virtual_channels");
    EXPECT_EQ(found->advice, "use virtual_channels = 2");
    choice.keys.set("unsafe", true);
    EXPECT_FALSE(complaint(least - 1)) << mode;
  }
}

}  // namespace
}  // namespace weft::models::testing
