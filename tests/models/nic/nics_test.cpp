// NICs that choose routes: what each scheme does with packets that are stopped, and with probes; docs/myrinet.md.
#include "models/nic/nics.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace weft::models::endpoint {
namespace {

/// So many routes for each pair; `low` is the number of one.
class Numbered final : public NumberedPaths {
 public:
  explicit Numbered(u32 routes) : routes_(routes) {}
  u32 routes(NodeId, NodeId) const override { return routes_; }
  void take(RouteState& state, NodeId, NodeId, u32 route) const override { state.low = route; }
  u32 route_taken(const RouteState& state, NodeId, NodeId) const override { return state.low; }

 private:
  u32 routes_;
};

/// NIC 0 at node 7, which sends to node 9.
class Nic {
 public:
  explicit Nic(const std::string& scheme, const DispersionSettings& dispersion = {}, u32 routes = 4)
      : routing_(routes), nics_(settings(scheme, dispersion), routing_, 1, counts_) {}

  /// The route that the next packet takes.
  u32 send(NodeId to = NodeId(9)) {
    RouteState state;
    NicHeader header;
    nics_.begin(0, NodeId(7), to, state, header);
    number_ = header.number;
    return state.low;
  }
  /// One that was stopped, or not. Whether a probe follows.
  bool sent(bool stopped, NodeId to = NodeId(9)) {
    send(to);
    return nics_.left(0, NodeId(7), to, stopped, probe_);
  }
  bool answered(Tick travelled) {
    return nics_.answered(0, NodeId(7), NodeId(9), Nics::header_of_answer(travelled), probe_);
  }
  void arrived(u32 number, u32 from = 3) { nics_.arrived(0, NodeId(from), {.number = number}); }
  bool holds() { return nics_.holds(0, NodeId(9)); }
  [[nodiscard]] u32 candidate() const { return probe_.route; }
  [[nodiscard]] u32 number() const { return number_; }
  [[nodiscard]] const RouteCounts& counts() const { return counts_; }
  [[nodiscard]] const Nics& nics() const { return nics_; }

  static constexpr Tick limit = 50;

 private:
  static NicSettings settings(const std::string& scheme, const DispersionSettings& dispersion) {
    NicSettings s;
    s.scheme = scheme;
    s.dispersion = dispersion;
    s.probe_ticks = limit;
    return s;
  }

  Numbered routing_;
  RouteCounts counts_;
  Nics nics_;
  Nics::Probe probe_{};
  u32 number_ = 0;
};

/// `threshold`: the stopped packet at which something is done, one more than nic.dispersion_threshold.
DispersionSettings with(u32 threshold, u32 percent = 100, bool in_a_row = false) {
  return {
      .threshold = threshold - 1, .percent = percent, .in_a_row = in_a_row, .probe_tries = 3, .threshold_factor = 2};
}

TEST(StaticNics, KeepARouteForEachDestination) {
  Nic nic("static");
  std::set<u32> routes;
  for (u32 to = 10; to < 60; ++to) {
    const u32 route = nic.send(NodeId(to));
    routes.insert(route);
    for (u32 k = 0; k < 5; ++k) EXPECT_FALSE(nic.sent(true, NodeId(to)));
    EXPECT_EQ(nic.send(NodeId(to)), route);
  }
  EXPECT_EQ(routes, (std::set<u32>{0, 1, 2, 3}));
  EXPECT_EQ(nic.counts().stopped, 250U);
  EXPECT_EQ(nic.counts().rerouted, 0U);
}

TEST(RandomNics, TakeAllRoutesAlike) {
  Nic nic("random");
  std::map<u32, u32> taken;
  for (u32 k = 0; k < 4000; ++k) ++taken[nic.send()];
  ASSERT_EQ(taken.size(), 4U);
  for (const auto& [route, packets] : taken) EXPECT_NEAR(packets, 1000, 120) << route;
  EXPECT_EQ(nic.number(), 3999U);
}

TEST(AdaptiveNics, TakeAnotherRouteAtTheThreshold) {
  Nic nic("adaptive", with(3));
  std::set<u32> routes;
  for (u32 k = 0; k < 50; ++k) {
    const u32 route = nic.send();
    routes.insert(route);
    for (const bool stopped : {true, false, true, false, false}) {
      nic.sent(stopped);
      EXPECT_EQ(nic.send(), route);
    }
    nic.sent(true);  // the third
    EXPECT_NE(nic.send(), route);
  }
  EXPECT_EQ(routes.size(), 4U);
  EXPECT_EQ(nic.counts().rerouted, 50U);
}

TEST(AdaptiveNics, CountStoppedPacketsInARowIfSo) {
  Nic nic("adaptive", with(2, 100, true));
  const u32 route = nic.send();
  for (u32 k = 0; k < 20; ++k) nic.sent(k % 2 == 0);
  EXPECT_EQ(nic.send(), route);
  nic.sent(true);
  nic.sent(true);
  EXPECT_NE(nic.send(), route);
}

TEST(AdaptiveNics, DoSoWithTheirProbability) {
  Nic nic("adaptive", with(1, 30));
  for (u32 k = 0; k < 5000; ++k) nic.sent(true);
  EXPECT_NEAR(static_cast<double>(nic.counts().rerouted), 1500, 150);
}

TEST(ProbingNics, TakeTheRouteThatAProbeFindsFree) {
  Nic nic("probing", with(2));
  const u32 route = nic.send();
  EXPECT_FALSE(nic.sent(true));
  EXPECT_FALSE(nic.holds());
  ASSERT_TRUE(nic.sent(true));
  EXPECT_TRUE(nic.holds());
  const u32 candidate = nic.candidate();
  EXPECT_NE(candidate, route);
  EXPECT_FALSE(nic.answered(Nic::limit));
  EXPECT_FALSE(nic.holds());
  EXPECT_EQ(nic.send(), candidate);
  EXPECT_EQ(nic.counts().probes, 1U);
  EXPECT_EQ(nic.counts().forced, 0U);
}

TEST(ProbingNics, TakeAnyRouteAfterProbesInVainAndAreSlowerThen) {
  Nic nic("probing", with(2));
  const u32 route = nic.send();
  nic.sent(true);
  ASSERT_TRUE(nic.sent(true));
  for (u32 tries = 1; tries < 3; ++tries) {
    ASSERT_TRUE(nic.answered(Nic::limit + 1));
    EXPECT_NE(nic.candidate(), route);
    EXPECT_EQ(nic.send(), route);
  }
  EXPECT_FALSE(nic.answered(Nic::limit + 1));
  EXPECT_NE(nic.send(), route);
  EXPECT_EQ(nic.counts().forced, 1U);
  EXPECT_EQ(nic.counts().probes, 3U);
  for (u32 k = 0; k < 2; ++k) EXPECT_FALSE(nic.sent(true));  // twice the threshold of 1 must be exceeded
  ASSERT_TRUE(nic.sent(true));
  EXPECT_FALSE(nic.answered(0));
  EXPECT_FALSE(nic.sent(true));
  EXPECT_TRUE(nic.sent(true));  // as at first
}

TEST(AdaptiveNics, OfThresholdNoughtChangeWithEveryStop) {
  Nic nic("adaptive", {.threshold = 0, .percent = 100});
  for (u32 k = 0; k < 20; ++k) {
    const u32 route = nic.send();
    nic.sent(false);
    EXPECT_EQ(nic.send(), route);
    nic.sent(true);
    EXPECT_NE(nic.send(), route);
  }
  EXPECT_EQ(nic.counts().rerouted, 20U);
}

TEST(ProbingNics, TryAllRoutesAsOftenAsTheyAreAskedTo) {
  for (const u32 routes : {2U, 4U, 16U}) {
    for (const u32 rounds : {1U, 4U}) {
      Nic nic("probing", {.threshold = 0, .percent = 100, .probe_rounds = rounds, .threshold_factor = 2}, routes);
      ASSERT_TRUE(nic.sent(true));
      u32 probes = 1;
      while (nic.answered(Nic::limit + 1)) ++probes;
      EXPECT_EQ(probes, rounds * routes);
      EXPECT_EQ(nic.counts().forced, 1U);
      EXPECT_FALSE(nic.sent(true));  // a threshold of 0 is raised, too
      EXPECT_TRUE(nic.sent(true));
    }
  }
}

TEST(Nics, WithOneRouteDoNothing) {
  for (const std::string& scheme : DispersionRegistry::instance().names()) {
    Nic nic(scheme, with(1), 1);
    for (u32 k = 0; k < 20; ++k) {
      EXPECT_FALSE(nic.sent(true)) << scheme;
      EXPECT_EQ(nic.send(), 0U) << scheme;
    }
    EXPECT_EQ(nic.counts().rerouted, 0U) << scheme;
  }
}

TEST(Nics, CountPacketsThatAreOvertaken) {
  Nic nic("random");
  for (const u32 number : {0U, 2U, 1U, 3U, 6U, 4U, 5U, 7U}) nic.arrived(number);
  EXPECT_EQ(nic.counts().out_of_order, 3U);
  for (const u32 number : {0U, 1U}) nic.arrived(number, 4);  // of another node
  EXPECT_EQ(nic.counts().out_of_order, 3U);
}

TEST(Nics, AnswerOnTheRouteOfTheSameNumber) {
  const Nic nic("probing", with(1));
  const RouteState probe = nic.nics().state_of(NodeId(9), {7, 2});
  EXPECT_EQ(probe.low, 2U);
  EXPECT_EQ(nic.nics().answer_to(NodeId(9), NodeId(7), probe).low, 2U);
  EXPECT_EQ(Nics::header_of_answer(33).probe_ticks, 33U);
}

}  // namespace
}  // namespace weft::models::endpoint
