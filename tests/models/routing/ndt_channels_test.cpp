// The routes of twin tori: hops of the published reduction, order and ties, and no cycle of channels that packets of
// any pair of nodes wait for one behind the other.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

#include "models/routing/router_kind.hpp"
#include "models/topology/kind/twin_torus.hpp"
#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {
namespace {

using Dims = std::vector<i64>;
const std::vector<std::string> both_modes{"dort", "ts-dor"};

/// A twin torus and its routing, to walk through without a network.
class Walk {
 public:
  static constexpr u32 channels = 4;

  Walk(const Dims& dims, const std::string& mode, u32 given = channels)
      : topology_(make_topology({"ndt-torus", {{"dims", dims}}})), given_(given) {
    RouterSettings settings;
    settings.kind = "ndt";
    settings.mode = mode;
    settings.virtual_channels = given;
    routing_ = router_kind("ndt").routing(*topology_, settings);
  }
  [[nodiscard]] const TwinTorus& torus() const { return dynamic_cast<const TwinTorus&>(*topology_); }

  [[nodiscard]] RouteSeen route(u32 from, u32 to, u64 bits) const {
    RouteSeen seen{from, to, {}};
    RouteState state;
    routing_->begin(state, NodeId(from), NodeId(to), bits);
    QueuePlace at{from};
    while (seen.hops.size() < 1000) {
      u64 word = 0;
      Candidates candidates{OutputSet(&word, 1)};
      if (routing_->route(at, {NodeId(from), NodeId(to), state}, candidates) == Verdict::arrived) break;
      EXPECT_EQ(std::popcount(word), 1);
      const u32 output = static_cast<u32>(std::countr_zero(word));
      const Peer peer = topology_->peer(RouterId(at.router), output / given_);
      EXPECT_EQ(peer.kind, Peer::Kind::router);
      seen.hops.push_back({at.router, output / given_, output % given_, peer.id});
      routing_->leave(state, at, output / given_, output % given_);
      at = {peer.id, peer.port, output % given_};
    }
    EXPECT_EQ(at.router, to);
    return seen;
  }
  /// Calls f(route) for all pairs of nodes, each with two opposite draws for ties.
  template <class F>
  void for_all(F&& f) const {
    const u32 nodes = topology_->nodes();
    for (u32 from = 0; from < nodes; ++from) {
      for (u32 to = 0; to < nodes && routing_->serves(NodeId(from)); ++to) {
        const u64 bits = (from + to) % 2 == 0 ? 0xff : 0x55;
        if (from == to) continue;
        f(route(from, to, bits));
        f(route(from, to, ~bits));
      }
    }
  }
  /// Dimension of a hop; `dimensions()` of an internal one.
  [[nodiscard]] u32 dimension(const Hop& hop) const {
    if (hop.port == torus().internal_port()) return torus().dimensions();
    return (TwinTorus::card(hop.at) * torus().dimensions() + hop.port) / 2;
  }
  [[nodiscard]] bool up(const Hop& hop) const {
    return (TwinTorus::card(hop.at) * torus().dimensions() + hop.port) % 2 == 1;
  }

 private:
  std::unique_ptr<Topology> topology_;
  u32 given_;  ///< channels
  std::unique_ptr<Routing> routing_;
};

/// Whether the channels that packets wait for one behind the other make up a cycle, if that of a hop were what
/// `channel_of` says; over all routes.
template <class F>
bool has_cycle(const Walk& walk, F&& channel_of) {
  const u32 ports = walk.torus().dimensions() + 1;
  const auto number = [&](const Hop& hop) { return (hop.at * ports + hop.port) * Walk::channels + channel_of(hop); };
  ChannelGraph graph;
  walk.for_all([&](const RouteSeen& route) {
    for (std::size_t k = 0; k + 1 < route.hops.size(); ++k) {
      const u32 next = number(route.hops[k + 1]);
      graph.add({number(route.hops[k]), route.from, route.to}, {&next, 1});
    }
  });
  return !graph.find_cycle(TakesCandidate::any).empty();
}
u32 as_routed(const Hop& hop) { return hop.channel; }

TEST(NdtRoutes, HaveTheHopsOfThePublishedReduction) {
  const std::vector<std::pair<Dims, std::size_t>> published{
      {{4, 4, 2, 2, 2}, 15}, {{4, 4, 2, 4, 2}, 19}, {{4, 4, 2, 4, 4}, 23}};
  for (const std::string& mode : both_modes) {
    for (const auto& [dims, hops] : published) {
      const Walk walk(dims, mode);
      std::size_t sum = 0;
      for (u32 round = 1; round < walk.torus().nodes(); round *= 2) {
        // All who send in a round of the binomial tree have as far to go.
        const std::size_t of_first = walk.route(round, 0, 0).hops.size();
        for (u32 rank = round; rank < walk.torus().nodes(); rank += 2 * round) {
          ASSERT_EQ(walk.route(rank, rank - round, rank).hops.size(), of_first) << mode << " rank " << rank;
        }
        sum += of_first;
      }
      EXPECT_EQ(sum, hops) << mode << ' ' << walk.torus().name();
    }
  }
}

/// What is wrong with a route: its order, or the way round a ring.
std::string detour(const Walk& walk, const RouteSeen& route, bool downwards) {
  const TwinTorus& torus = walk.torus();
  const u32 n = torus.dimensions();
  std::vector<u32> taken(n + 1, 0);
  u32 last = downwards ? n : 0;
  for (const Hop& hop : route.hops) {
    const u32 d = walk.dimension(hop);
    ++taken[d];
    if (d == n) continue;
    if (downwards ? d > last : d < last) return "out of order";
    last = d;
  }
  for (u32 d = 0; d < n; ++d) {
    const u32 size = torus.size(d),
              up = (torus.coordinate(route.to, d) + size - torus.coordinate(route.from, d)) % size;
    if (taken[d] != std::min(up, size - up)) return fmt::format("not the shortest path in dimension {}", d);
  }
  return route.hops.size() >= torus.distance(NodeId(route.from), NodeId(route.to)) ? "" : "too short";
}

TEST(NdtRoutes, TakeTheShortestWayRoundEachRingInTheOrderOfTheMode) {
  for (const std::string& mode : both_modes) {
    for (const Dims& dims : {Dims{3, 4, 2}, Dims{2, 3, 2, 2}, Dims{2, 2, 3, 2, 2}}) {
      const Walk walk(dims, mode);
      walk.for_all([&](const RouteSeen& route) {
        ASSERT_EQ(detour(walk, route, mode == "ts-dor" && route.from % 2 == 1), "") << route.from << " to " << route.to;
      });
    }
  }
}

TEST(NdtRoutes, BreakTiesInTheMiddleDimensionByTheCard) {
  const Walk walk({3, 4, 2}, "ts-dor");
  u32 ties = 0;
  walk.for_all([&](const RouteSeen& route) {
    if ((route.from / 6 % 4 + 2) % 4 != route.to / 6 % 4) return;
    for (const Hop& hop : route.hops) {
      if (walk.dimension(hop) != 1) continue;
      ASSERT_EQ(walk.up(hop), route.from % 2 == 1) << route.from << " to " << route.to;
    }
    ++ties;
  });
  EXPECT_GT(ties, 500U);
}

TEST(NdtRoutes, WaitForNoCycleOfChannels) {
  std::vector<Dims> shapes;
  for (i64 size = 2; size <= 5; ++size) {
    for (const Dims& dims : {Dims{size, 3}, Dims{2, size}, Dims{2, size, 2}, Dims{3, size, 2}, Dims{2, 2, size, 2}}) {
      shapes.push_back(dims);
    }
  }
  for (const Dims& dims : {Dims{4, 5}, Dims{5, 3, 2}, Dims{2, 3, 4}, Dims{2, 2, 2, 2, 2}, Dims{2, 2, 5, 2, 2}}) {
    shapes.push_back(dims);
  }
  for (const Dims& dims : shapes) {
    for (const std::string& mode : both_modes) {
      const Walk walk(dims, mode);
      EXPECT_FALSE(has_cycle(walk, as_routed)) << mode << ' ' << walk.torus().name();
    }
  }
}

TEST(NdtRoutes, NeedTheirChannels) {
  const Dims dims{2, 5, 2};
  const Walk dort(dims, "dort"), two_orders(dims, "ts-dor");
  const u32 internal = dort.torus().internal_port();
  const auto merge = [&](u32 from, u32 into) {
    return [=](const Hop& hop) { return hop.port == internal && hop.channel == from ? into : hop.channel; };
  };
  // Three channels would do for the internal link, but not any: those on the way to card 0 and at the end are two.
  EXPECT_FALSE(has_cycle(dort, merge(3, 0)));
  EXPECT_TRUE(has_cycle(dort, merge(3, 2)));
  EXPECT_TRUE(has_cycle(dort, merge(1, 0)));
  // Rings need both of theirs, and the two orders each its own.
  EXPECT_TRUE(has_cycle(dort, [&](const Hop& hop) { return hop.port == internal ? hop.channel : 0; }));
  EXPECT_TRUE(has_cycle(two_orders, [](const Hop& hop) { return hop.channel & 1U; }));
  EXPECT_TRUE(has_cycle(two_orders, [](const Hop& hop) { return hop.channel & 2U; }));
}

/// Channels of internal links by what is left to do there, as the text of 2018 numbers them: the destination is the
/// other processing element (0), a dimension of the other card comes next (1), the packet is in the middle one (2 and,
/// across the border, 3).
TEST(NdtRoutes, OfDortCasesTakeTheChannelOfTheirCase) {
  for (const Dims& dims : {Dims{3, 4, 2}, Dims{2, 2, 3, 2, 2}, Dims{2, 5, 2}}) {
    const Walk walk(dims, "dort-cases"), usual(dims, "dort");
    const TwinTorus& torus = walk.torus();
    const u32 n = torus.dimensions(), middle = n / 2;
    std::map<u32, u32> taken;
    walk.for_all([&](const RouteSeen& route) {
      for (std::size_t k = 0; k < route.hops.size(); ++k) {
        const Hop& hop = route.hops[k];
        if (walk.dimension(hop) != n) continue;
        u32 expected = 0;
        if (k + 1 < route.hops.size()) {
          const u32 next = walk.dimension(route.hops[k + 1]);
          const u32 at = torus.coordinate(hop.at, middle), to = torus.coordinate(route.to, middle);
          expected = next != middle ? 1 : walk.up(route.hops[k + 1]) == (to < at) ? 3 : 2;
        }
        ASSERT_EQ(hop.channel, expected) << route.from << " to " << route.to << ", hop " << k;
        ++taken[expected];
      }
    });
    EXPECT_EQ(taken.size(), 4U);
    EXPECT_FALSE(has_cycle(walk, as_routed)) << torus.name();
    // All else is as with dort.
    std::vector<std::vector<u32>> ports[2];
    for (const Walk* const some : {&walk, &usual}) {
      some->for_all([&](const RouteSeen& route) {
        auto& of = ports[some == &walk ? 0 : 1].emplace_back();
        for (const Hop& hop : route.hops) of.push_back(hop.port);
      });
    }
    EXPECT_EQ(ports[0], ports[1]);
  }
}

/// In two traffic classes with two channels each packets go as in one with four.
TEST(NdtRoutes, OfOneCardAreThoseOfTsDorInTwoChannels) {
  for (const Dims& dims : {Dims{3, 4, 2}, Dims{2, 2, 5, 2, 2}, Dims{2, 3, 2, 2}}) {
    const Walk both(dims, "ts-dor");
    for (const u32 card : {0U, 1U}) {
      const Walk one(dims, card == 0 ? "ts-dor-up" : "ts-dor-down", 2);
      u32 routes = 0;
      one.for_all([&](const RouteSeen& route) {
        ASSERT_EQ(route.from % 2, card);
        const u64 bits = (route.from + route.to) % 2 == 0 ? 0xff : 0x55;
        const RouteSeen with_both[2] = {both.route(route.from, route.to, bits),
                                        both.route(route.from, route.to, ~bits)};
        const auto same = [&](const RouteSeen& other) {
          return std::ranges::equal(route.hops, other.hops, [&](const Hop& a, const Hop& b) {
            return a.at == b.at && a.port == b.port && a.channel + 2 * card == b.channel;
          });
        };
        EXPECT_TRUE(same(with_both[0]) || same(with_both[1])) << route.from << " to " << route.to;
        ++routes;
      });
      EXPECT_EQ(routes, one.torus().nodes() * (one.torus().nodes() - 1));
      EXPECT_FALSE(has_cycle(one, as_routed)) << one.torus().name();
    }
  }
}

TEST(NdtRoutes, OfOneCardNeedTrafficClasses) {
  const auto key_of = [](Parameters keys) {
    keys.set("lbr_packets", i64{0});
    const auto complaint = router_kind("ndt").check({keys, "ts-dor-up", "ndt-torus", {}});
    return complaint ? complaint->key : "";
  };
  EXPECT_EQ(key_of({{"virtual_channels", i64{2}}}), "router.routing");
  EXPECT_EQ(key_of({{"virtual_channels", i64{2}}, {"traffic_classes", i64{1}}}), "router.routing");
  EXPECT_EQ(key_of({{"virtual_channels", i64{1}}, {"traffic_classes", i64{2}}}), "router.virtual_channels");
  EXPECT_EQ(key_of({{"virtual_channels", i64{2}}, {"traffic_classes", i64{2}}}), "");
}

TEST(NdtRoutes, AreRefusedWithTooFewChannels) {
  for (const std::string& mode : both_modes) {
    const auto complaint = [&](i64 channels) {
      return router_kind("ndt").check(
          {{{"virtual_channels", channels}, {"lbr_packets", i64{0}}}, mode, "ndt-torus", {}});
    };
    ASSERT_TRUE(complaint(3).has_value());
    EXPECT_EQ(complaint(3)->key, "router.virtual_channels");
    EXPECT_FALSE(complaint(4).has_value());
  }
}

}  // namespace
}  // namespace weft::models::testing
