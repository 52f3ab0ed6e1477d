// The ways of packets in Slim Flies: as long as their mode says, a higher channel at each hop, the less loaded way.
#include <gtest/gtest.h>
#include <map>

#include "models/routing/router_kind.hpp"
#include "models/topology/kind/slim_fly.hpp"
#include "tests/models/network/every_router.hpp"
#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

const TopologySpec small_fly{"slim-fly", {{"q", i64{4}}, {"nodes_per_router", i64{2}}}};

/// Hops between routers have channels 0, 1, 2...; so many at most, or as many as the distance if `shortest`.
Rule rises_at_each_hop(const Topology& net, std::size_t most, bool shortest) {
  return [&net, most, shortest](const RouteSeen& route) -> std::string {
    std::vector<Hop> hops;
    std::ranges::copy_if(route.hops, std::back_inserter(hops),
                         [&](const Hop& hop) { return hop.at < net.routers() && hop.next < net.routers(); });
    for (std::size_t k = 0; k < hops.size(); ++k) {
      if (hops[k].channel != k) return "hop " + std::to_string(k) + " in another channel";
    }
    const u32 least = net.distance(NodeId(route.from), NodeId(route.to)) - 2;
    if (hops.size() < least || hops.size() > (shortest ? least : most)) return "too short or too long";
    return {};
  };
}

TEST(SlimFlyChannels, RiseAtEachHop) {
  const auto net = make_topology(small_fly);
  const auto minimal = routes_of(case_of(small_fly, "slim-fly", "minimal", 2), 150);
  expect_kept(minimal, rises_at_each_hop(*net, 2, true));
  EXPECT_TRUE(no_cycle_of_channels(minimal));
  const auto valiant = routes_of(case_of(small_fly, "slim-fly", "valiant", 4), 150);
  expect_kept(valiant, rises_at_each_hop(*net, 4, false));
  expect_broken(valiant, rises_at_each_hop(*net, 3, false));
  EXPECT_TRUE(no_cycle_of_channels(valiant));
}

/// Outputs of one router as full as a test says.
class SetOccupancy final : public Occupancy {
 public:
  std::map<u32, u32> loads, seconds;  ///< [port]; told of the second port, whatever the first
  [[nodiscard]] u32 waiting(u32 port) const override { return load(port); }
  [[nodiscard]] u32 taken(u32 /*port*/, u32 /*channel*/) const override { return 0; }
  [[nodiscard]] u32 load(u32 port) const override { return loads.contains(port) ? loads.at(port) : 0; }
  [[nodiscard]] u32 remote_waiting(u32 /*port*/, u32 far_port) const override {
    return seconds.contains(far_port) ? seconds.at(far_port) : 0;
  }
};

/// A routing and a pair of nodes two links apart, to see what packets of all random draws decide.
class Decisions {
 public:
  Decisions(const std::string& mode, i64 drawn, i64 bias = 0, i64 threshold = 0) {
    RouterSettings settings;
    settings.kind = "slim-fly";
    settings.mode = mode;
    settings.virtual_channels = 4;
    settings.own = router_defaults();
    settings.own.set("ugal_candidates", drawn);
    settings.own.set("ugal_bias_cells", bias);
    settings.own.set("ugal_threshold_cells", threshold);
    routing_ = router_kind("slim-fly").routing(net_, settings);
  }
  [[nodiscard]] const SlimFly& net() const { return net_; }
  /// First port of the way of a packet with this draw, and whether it goes by another router.
  struct Way {
    u32 port;
    bool turned;
  };
  [[nodiscard]] Way decide(u64 trial, const Occupancy& outputs) const {
    RouteState state;
    routing_->begin(state, from, to(), engine::remix(trial, 7));
    const QueuePlace at{0, net_.degree(), 0};
    routing_->decide(state, at, from, to(), outputs);
    u64 words[4] = {};
    Candidates candidates{OutputSet(words, 4)};
    EXPECT_EQ(routing_->route(at, {from, to(), state}, candidates), Verdict::waits);
    u32 output = 0;
    while (!candidates.outputs.has(output)) ++output;
    EXPECT_EQ(output % 4, 0U);
    return {output / 4, state.low != last().value()};
  }
  [[nodiscard]] u32 turned(const Occupancy& outputs, u32 trials = 400) const {
    u32 count = 0;
    for (u32 trial = 0; trial < trials; ++trial) count += decide(trial, outputs).turned ? 1 : 0;
    return count;
  }
  /// The only shortest paths: first port, and port of the router between.
  [[nodiscard]] u32 first_port() const { return net_.port_to(RouterId{0}, between()); }
  [[nodiscard]] u32 second_port() const { return net_.port_to(between(), last()); }

 private:
  [[nodiscard]] RouterId last() const { return net_.worst_partner(RouterId{0}); }
  [[nodiscard]] NodeId to() const { return NodeId(last().value() * 2); }
  [[nodiscard]] RouterId between() const { return net_.between(RouterId{0}, last(), 0); }

  SlimFly net_{5, 2};
  NodeId from{0};
  std::unique_ptr<Routing> routing_;
};

TEST(SlimFlyDecisions, TakeTheShortestWayWhileItIsNoMoreLoaded) {
  SetOccupancy outputs;
  const Decisions ugal("ugal-l", 1);
  EXPECT_EQ(ugal.turned(outputs), 0U);
  outputs.loads[ugal.first_port()] = 100;
  // All but those whose way by the router drawn begins alike: links 1 and 6 of those behind the first port.
  const u32 turned = ugal.turned(outputs);
  EXPECT_GT(turned, 300U);
  EXPECT_LT(turned, 400U);
  for (u32 trial = 0; trial < 100; ++trial) {
    const Decisions::Way way = ugal.decide(trial, outputs);
    EXPECT_EQ(way.turned, way.port != ugal.first_port());
  }
}

TEST(SlimFlyDecisions, WeighLoadsByLinks) {
  const Decisions ugal("ugal-l", 1);
  SetOccupancy outputs;
  for (u32 port = 0; port < ugal.net().degree(); ++port) outputs.loads[port] = 10;
  outputs.loads[ugal.first_port()] = 21;
  // 2 * 21 cells against 4 * 10: only ways of 4 links or less are worth it, that is all; against 3 * 10 by 3 links.
  EXPECT_GT(ugal.turned(outputs), 300U);
  outputs.loads[ugal.first_port()] = 20;
  const u32 short_ones = ugal.turned(outputs);
  EXPECT_GT(short_ones, 40U);  // ways of 3 links, or 2
  EXPECT_LT(short_ones, 200U);
  outputs.loads[ugal.first_port()] = 10;
  EXPECT_EQ(ugal.turned(outputs), 0U);
}

TEST(SlimFlyDecisions, HaveABiasAndAThreshold) {
  SetOccupancy outputs;
  const Decisions biased("ugal-l", 1, 200), patient("ugal-l", 1, 0, 99);
  outputs.loads[biased.first_port()] = 99;
  EXPECT_EQ(biased.turned(outputs), 0U);
  EXPECT_EQ(patient.turned(outputs), 0U);
  outputs.loads[biased.first_port()] = 101;
  EXPECT_GT(biased.turned(outputs), 300U);
  EXPECT_GT(patient.turned(outputs), 300U);
}

TEST(SlimFlyDecisions, GoByTheBestOfTheRoutersDrawn) {
  SetOccupancy outputs;
  const Decisions one("ugal-l", 1), many("ugal-l", 16);
  for (u32 port = 0; port < one.net().degree(); ++port) outputs.loads[port] = 1000;
  const u32 idle = one.first_port() == 3 ? 4 : 3;
  outputs.loads[idle] = 1;
  const auto by_idle = [&](const Decisions& ugal) {
    u32 count = 0;
    for (u32 trial = 0; trial < 400; ++trial) count += ugal.decide(trial, outputs).port == idle ? 1 : 0;
    return count;
  };
  EXPECT_LT(by_idle(one), 120U);   // about one in seven
  EXPECT_GT(by_idle(many), 320U);  // all but (6/7)^16
}

TEST(SlimFlyDecisions, HearOfTheSecondLinkWithUgalG) {
  SetOccupancy outputs;
  const Decisions local("ugal-l", 1), global("ugal-g", 1);
  outputs.seconds[local.second_port()] = 100;
  EXPECT_EQ(local.turned(outputs), 0U);
  EXPECT_GT(global.turned(outputs), 200U);
}

TEST(SlimFlyRouter, IsRefusedWithTooFewChannels) {
  for (const auto& [mode, least] : std::map<std::string, i64>{{"minimal", 2}, {"valiant", 4}, {"ugal-l", 4}}) {
    const auto complaint = [&](i64 channels) {
      return router_kind("slim-fly")
          .check({{{"virtual_channels", channels}, {"lbr_packets", i64{0}}}, mode, "slim-fly", {}});
    };
    ASSERT_TRUE(complaint(least - 1).has_value()) << mode;
    EXPECT_EQ(complaint(least - 1)->advice, "use virtual_channels = " + std::to_string(least));
    EXPECT_FALSE(complaint(least).has_value()) << mode;
  }
}

}  // namespace
}  // namespace weft::models::testing
