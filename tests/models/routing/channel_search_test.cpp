// The search for deadlock before a run: every registered routing on every topology that it fits is found free of it,
// and routes that are not are found out.
#include "models/routing/channel_search.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "models/routing/router_kind.hpp"
#include "tests/models/network/every_router.hpp"

namespace weft::models::testing {
namespace {

using Answer = ChannelFindings::Answer;

RouterSettings settings_of(const std::string& kind, const std::string& mode, u32 channels) {
  RouterSettings settings;
  settings.kind = kind;
  settings.mode = mode;
  settings.virtual_channels = channels;
  for (const Setting& row : router_kind(kind).settings) settings.own.set(row.name(), row.fallback);
  return settings;
}
ChannelFindings search(const TopologySpec& spec, const RouterSettings& settings, ChannelSearch how = {}) {
  const auto topology = make_topology(spec);
  how.virtual_channels = settings.virtual_channels;
  return search_channels(*topology, *router_kind(settings.kind).routing(*topology, settings), how);
}
ChannelSearch committed() { return {.takes = TakesCandidate::committed}; }

/// Why a pairing is not searched for deadlock; empty: it is.
std::string not_searched(const Pairing& pairing) {
  const RouterKind& kind = router_kind(pairing.router);
  if (!kind.routing) return "machine of its own";
  if (keeps_bubbles(kind, pairing.mode)) return "bubbles";
  return pairing.channels.empty() ? pairing.refused : "";
}

TEST(ChannelSearch, FindsEveryRegisteredRoutingFreeOnEveryTopologyThatItFits) {
  std::map<std::string, u32> free, conditions;
  for (const Pairing& pairing : all_pairings()) {
    if (!not_searched(pairing).empty()) continue;
    for (const i64 channels : pairing.channels) {
      const Case setup = setup_of(pairing, packets_of(8), channels);
      SCOPED_TRACE(describe(setup));
      const ChannelFindings found = search(setup.topology, setup.router);
      EXPECT_TRUE(found.cycle.empty()) << describe_cycle(*make_topology(setup.topology), found.cycle);
      ++(found.answer == Answer::free ? free : conditions)[pairing.router];
      EXPECT_GT(found.steps, 0U);
    }
  }
  for (const char* const kind :
       {"dally", "dragonfly", "forwarding-table", "full-mesh", "hyperx", "indirect-cube", "multistage", "ndt"}) {
    EXPECT_GE(free[kind], 2U) << kind;
    EXPECT_EQ(conditions[kind], 0U) << kind;
  }
}

TEST(ChannelSearch, FindsTheRoutesThatSwitchesTakeByDefaultFree) {
  for (const Pairing& pairing : all_pairings()) {
    if (pairing.router != "switch" || pairing.channels.empty()) continue;
    Case setup = setup_of(pairing, packets_of(8), std::max<i64>(3, pairing.channels.front()));
    if (pairing.topology.kind == "ndt-torus") setup.router.virtual_channels = 4;
    router_kind("switch").resolve(setup.router, pairing.topology.kind);
    SCOPED_TRACE(describe(setup));
    const auto topology = make_topology(pairing.topology);
    const SearchedRoutes routes = router_kind("switch").searched_routes(*topology, setup.router);
    EXPECT_EQ(routes.key, "router.routing");
    const ChannelFindings found = search_channels(
        *topology, *routes.routing,
        {.virtual_channels = setup.router.virtual_channels, .takes = routes.takes, .ignores_conditions = true});
    EXPECT_EQ(found.answer, Answer::free) << describe_cycle(*topology, found.cycle);
  }
}

TEST(ChannelSearch, BubblesAreNoWayOutForRoutersThatDoNotKeepThem) {
  const TopologySpec cube{"indirect-cube",
                          {{"dims", std::vector<i64>{5, 3}}, {"nodes_per_switch", i64{2}}, {"parallel_links", i64{2}}}};
  EXPECT_EQ(search(cube, settings_of("indirect-cube", "static", 1)).answer, Answer::conditions);
  const auto found = search(cube, settings_of("indirect-cube", "static", 1), {.ignores_conditions = true});
  EXPECT_EQ(found.answer, Answer::cycle);
  EXPECT_EQ(search(cube, settings_of("indirect-cube", "adaptive", 2)).answer, Answer::cycle);
  EXPECT_EQ(search(torus({5, 3}), settings_of("bubble", "shortest", 2)).answer, Answer::conditions);
  EXPECT_EQ(search(torus({5, 3}), settings_of("bubble", "shortest", 2), {.ignores_conditions = true}).answer,
            Answer::cycle);
  // Without rings the escape channel is safe as it is.
  EXPECT_EQ(search(mesh({5, 3}), settings_of("bubble", "shortest", 2), {.ignores_conditions = true}).answer,
            Answer::free);
}

TEST(ChannelSearch, EscapeChannelsAreEnoughUnlessPacketsAreCommitted) {
  for (const auto& [mode, channels] : {std::pair{"improved", 2U}, std::pair{"adaptive", 3U}}) {
    const RouterSettings settings = settings_of("dally", mode, channels);
    EXPECT_EQ(search(torus({5, 4}), settings).answer, Answer::free) << mode;
    EXPECT_EQ(search(torus({5, 4}), settings, committed()).answer, Answer::cycle) << mode;
  }
  for (const char* const mode : {"basic", "trc"}) {
    EXPECT_EQ(search(torus({5, 4}), settings_of("dally", mode, 2), committed()).answer, Answer::free) << mode;
  }
  EXPECT_EQ(search(tree(2, 3), settings_of("multistage", "adaptive", 2), committed()).answer, Answer::free);
}

/// Always upwards round a ring, in channel 0; with a date line, in channel 1 from router 0 on.
class RoundTheRing final : public Routing {
 public:
  explicit RoundTheRing(bool date_line) : date_line_(date_line) {}
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (at.router == packet.to.value()) return Verdict::arrived;
    const bool across = date_line_ && (at.router == 0 || (at.port != QueuePlace::injection && at.channel == 1));
    candidates.outputs.add(across ? 1 : 0);
    return Verdict::waits;
  }

 private:
  bool date_line_;
};

TEST(ChannelSearch, NamesTheRingWithoutADateLine) {
  const auto ring = make_topology(torus({5}));
  const RoundTheRing open(false), closed(true);
  EXPECT_EQ(search_channels(*ring, closed, {.virtual_channels = 2}).answer, Answer::free);
  const ChannelFindings found = search_channels(*ring, open, {.virtual_channels = 1});
  ASSERT_EQ(found.answer, Answer::cycle);
  ASSERT_EQ(found.cycle.size(), 5U);
  const std::string text = describe_cycle(*ring, found.cycle);
  EXPECT_NE(text.find("cycle of waiting channels (5):"), std::string::npos) << text;
  for (std::size_t k = 0; k < 5; ++k) {
    const WaitingPacket& packet = found.cycle[k];
    EXPECT_EQ(packet.port, 0U);
    EXPECT_EQ((packet.router + 1) % 5, found.cycle[(k + 1) % 5].router);
    // It goes through the channel, and beyond the router behind it.
    EXPECT_LT((packet.router + 5 - packet.from) % 5 + 1, (packet.to + 5 - packet.from) % 5);
    EXPECT_NE(text.find(fmt::format(
                  "\n  router {}, {}, VC 0: a packet from node {} to node {} waits for free space in router {}",
                  packet.router, ring->port_name(RouterId(packet.router), 0), packet.from, packet.to,
                  (packet.router + 1) % 5)),
              std::string::npos)
        << text;
  }
}

TEST(ChannelSearch, FindsTablesWithoutLayersOut) {
  for (const char* const engine : {"sssp", "dor", "minhop"}) {
    RouterSettings settings = settings_of("forwarding-table", "", 4);
    settings.own.set("engine", std::string(engine));
    EXPECT_EQ(search(torus({5, 5}), settings).answer, Answer::free) << engine;
    settings.own.set("one_layer", true);
    EXPECT_EQ(search(torus({5, 5}), settings).answer, Answer::cycle) << engine;
    EXPECT_EQ(search(mesh({4}), settings).answer, Answer::free) << engine;
  }
}

/// Up a ring, by a date line unless the number of the route is a bad one.
class NumberedRoutes final : public Routing {
 public:
  NumberedRoutes(u32 routes, u32 bad) : routes_(routes), bad_(bad) {}
  void begin(RouteState& state, NodeId /*from*/, NodeId /*to*/, u64 bits) const override {
    state.low = engine::scale_to(engine::remix(bits, 1), routes_);
  }
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return listed ? routes_ : 0; }
  void begin_as(RouteState& state, NodeId /*from*/, NodeId /*to*/, u32 number) const override { state.low = number; }
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (at.router == packet.to.value()) return Verdict::arrived;
    // Round the ring; all but one route by a date line.
    const bool across = at.router == 0 || (at.port != QueuePlace::injection && at.channel == 1);
    candidates.outputs.add(across && packet.state.low != bad_ ? 1 : 0);
    return Verdict::waits;
  }
  bool listed = true;

 private:
  u32 routes_, bad_;
};

TEST(ChannelSearch, TriesAllRoutesThatHaveNumbersHoweverFewPacketsTakeTheBadOne) {
  const auto ring = make_topology(torus({4}));
  NumberedRoutes routes(500, 371);
  ChannelSearch full{.virtual_channels = 2, .most_listed = ~0U};
  const ChannelFindings found = search_channels(*ring, routes, full);
  EXPECT_EQ(found.answer, Answer::cycle);
  EXPECT_EQ(search_channels(*ring, NumberedRoutes(500, 500), full).answer, Answer::free);
  EXPECT_TRUE(search_channels(*ring, NumberedRoutes(500, 500), full).tried_all());
  // Random draws are few, and the search says so.
  full.most_listed = 14;
  const ChannelFindings few = search_channels(*ring, routes, full);
  EXPECT_EQ(few.answer, Answer::free);
  EXPECT_FALSE(few.tried_all());
  EXPECT_EQ(few.sampled_pairs, few.pairs);
  EXPECT_EQ(few.pairs, 12U);
}

TEST(ChannelSearch, ListsAllThatRoutingsDraw) {
  std::set<std::string> listed, drawn;
  for (const Pairing& pairing : all_pairings()) {
    const RouterKind& kind = router_kind(pairing.router);
    if (!kind.routing || pairing.channels.empty()) continue;
    const Case setup = setup_of(pairing, packets_of(8), pairing.channels.front());
    SCOPED_TRACE(describe(setup));
    const auto topology = make_topology(pairing.topology);
    const auto routing = kind.routing(*topology, setup.router);
    for (u32 to = 1; to < topology->nodes(); to += 1 + topology->nodes() / 5) {
      const u32 count = routing->beginnings(NodeId(0), NodeId(to));
      (count > 0 ? listed : drawn).insert(pairing.router);
      if (count == 0) continue;
      std::set<std::array<u64, 3>> states;
      const auto key = [](const RouteState& state) {
        return std::array<u64, 3>{state.word(), state.phase, state.spare};
      };
      for (u32 number = 0; number < count; ++number) {
        RouteState state;
        routing->begin_as(state, NodeId(0), NodeId(to), number);
        states.insert(key(state));
      }
      for (u64 k = 0; k < 200; ++k) {
        RouteState state;
        routing->begin(state, NodeId(0), NodeId(to), engine::remix(k, to));
        ASSERT_TRUE(states.contains(key(state))) << "to node " << to;
      }
    }
  }
  for (const char* const kind : {"dally", "dragonfly", "fat-tree", "forwarding-table", "full-mesh", "hyperx",
                                 "indirect-cube", "ndt", "source-route"}) {
    EXPECT_TRUE(listed.contains(kind)) << kind;
  }
  EXPECT_TRUE(drawn.contains("slim-fly"));
}

TEST(ChannelSearch, IsGivenUpBehindTheStepsAllowedAndAtTheSamePlaceEachTime) {
  const RouterSettings settings = settings_of("dally", "basic", 2);
  const ChannelFindings whole = search(torus({5, 4}), settings);
  ASSERT_EQ(whole.answer, Answer::free);
  EXPECT_GE(whole.steps, least_steps(*make_topology(torus({5, 4}))));
  EXPECT_EQ(search(torus({5, 4}), settings, {.most_steps = whole.steps}).answer, Answer::free);
  const ChannelFindings short_by_one = search(torus({5, 4}), settings, {.most_steps = whole.steps - 1});
  EXPECT_EQ(short_by_one.answer, Answer::too_large);
  EXPECT_EQ(search(torus({5, 4}), settings, {.most_steps = 1000}).steps,
            search(torus({5, 4}), settings, {.most_steps = 1000}).steps);
  EXPECT_LT(search(torus({5, 4}), settings, {.most_steps = 1000}).steps, 1100U);
}

/// As another, but told apart by source.
class BySource final : public Routing {
 public:
  explicit BySource(std::unique_ptr<Routing> routing) : routing_(std::move(routing)) {}
  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    routing_->begin(state, from, to, bits);
  }
  [[nodiscard]] u32 beginnings(NodeId from, NodeId to) const override { return routing_->beginnings(from, to); }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override {
    routing_->begin_as(state, from, to, number);
  }
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    return routing_->route(at, packet, candidates);
  }
  void leave(RouteState& state, const QueuePlace& at, u32 port, u32 channel) const override {
    routing_->leave(state, at, port, channel);
  }
  [[nodiscard]] Channels node_link_channels(const RouteState& state, bool to_node) const override {
    return routing_->node_link_channels(state, to_node);
  }

 private:
  std::unique_ptr<Routing> routing_;
};

TEST(ChannelSearch, WhoSaysThatItDoesNotGoByTheSourceDoesNot) {
  for (const Pairing& pairing : all_pairings()) {
    if (!not_searched(pairing).empty()) continue;
    const Case setup = setup_of(pairing, packets_of(8), pairing.channels.front());
    const auto topology = make_topology(pairing.topology);
    const auto make = [&] { return router_kind(pairing.router).routing(*topology, setup.router); };
    if (make()->goes_by_source()) continue;
    SCOPED_TRACE(describe(setup));
    // Other routes for other sources would be found for the first of them only.
    for (const TakesCandidate takes : {TakesCandidate::any, TakesCandidate::committed}) {
      const ChannelSearch how{.virtual_channels = setup.router.virtual_channels, .takes = takes};
      const ChannelFindings alike = search_channels(*topology, *make(), how);
      const ChannelFindings apart = search_channels(*topology, BySource(make()), how);
      EXPECT_EQ(alike.answer, apart.answer);
      EXPECT_EQ(alike.cycle.size(), apart.cycle.size());
      EXPECT_LE(alike.steps, apart.steps);
    }
  }
}

/// Knows no way on from router 2.
class LosesItsWay final : public Routing {
 public:
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (at.router == packet.to.value()) return Verdict::arrived;
    if (at.router != 2) candidates.outputs.add(0);
    return Verdict::waits;
  }
};

TEST(ChannelSearch, RefusesRoutesThatEnd) {
  const auto ring = make_topology(torus({5}));
  EXPECT_THROW(static_cast<void>(search_channels(*ring, LosesItsWay(), {.virtual_channels = 1})), ConfigError);
}

}  // namespace
}  // namespace weft::models::testing
