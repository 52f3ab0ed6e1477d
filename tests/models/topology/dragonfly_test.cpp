// Dragonflies: wiring in every arrangement, distances against search, closed forms, shapes that are refused.
#include "models/topology/kind/dragonfly.hpp"

#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> dragonfly(i64 p, i64 a, i64 h, const std::string& arrangement = "relative", i64 groups = 0) {
  Parameters keys{{"nodes_per_router", p}, {"routers_per_group", a}, {"global_links", h}, {"arrangement", arrangement}};
  if (groups != 0) keys.set("groups", groups);
  return made("dragonfly", keys);
}

const Dragonfly& as_dragonfly(const Topology& net) { return dynamic_cast<const Dragonfly&>(net); }

/// Hops from a router to all others over at most one link between groups.
std::vector<u32> routed_hops(const Dragonfly& net, u32 start) {
  // State: router and whether a global link was taken.
  std::vector<u32> hops(2 * net.routers(), ~u32{0}), order{2 * start};
  hops[2 * start] = 0;
  for (std::size_t ix = 0; ix < order.size(); ++ix) {
    const u32 at = order[ix] / 2, taken = order[ix] % 2;
    for (u32 p = 0; p < net.ports(RouterId{at}); ++p) {
      const Peer peer = net.peer(RouterId{at}, p);
      const u32 crosses = net.link_class(RouterId{at}, p) == 2 ? 1 : 0;
      if (peer.kind != Peer::Kind::router || taken + crosses > 1) continue;
      const u32 next = 2 * peer.id + taken + crosses;
      if (hops[next] != ~u32{0}) continue;
      hops[next] = hops[order[ix]] + 1;
      order.push_back(next);
    }
  }
  std::vector<u32> least(net.routers());
  for (u32 r = 0; r < net.routers(); ++r) least[r] = std::min(hops[2 * r], hops[2 * r + 1]);
  return least;
}

void expect_distances_over_one_global_link(const Topology& topology) {
  const Dragonfly& net = as_dragonfly(topology);
  u64 sum = 0, global = 0;
  u32 diameter = 0;
  for (u32 from = 0; from < net.nodes(); ++from) {
    const u32 home = net.router_of(NodeId{from}).value();
    const std::vector<u32> hops = routed_hops(net, home);
    for (u32 to = 0; to < net.nodes(); ++to) {
      const RouterId there = net.router_of(NodeId{to});
      const u32 expected = from == to ? 0 : 2 + hops[there.value()];
      ASSERT_EQ(net.distance(NodeId{from}, NodeId{to}), expected) << net.name() << ": " << from << " to " << to;
      sum += expected;
      diameter = std::max(diameter, expected);
      global += net.group(there) != net.group(RouterId{home}) ? 1 : 0;
    }
  }
  const double pairs = static_cast<double>(net.nodes()) * (net.nodes() - 1.0);
  EXPECT_EQ(net.diameter(), diameter) << net.name();
  EXPECT_NEAR(net.mean_distance(), static_cast<double>(sum) / pairs, 1e-12) << net.name();
  // What the links of either kind carry at the load bound.
  const double load = net.uniform_load_bound() / (net.nodes() - 1.0);
  const double local = static_cast<double>(sum) - 2 * pairs - static_cast<double>(global);
  const double groups = net.groups(), a = net.shape().routers_per_group;
  EXPECT_LE(load * static_cast<double>(global), groups * (groups - 1) * net.links_between() + 1e-9) << net.name();
  EXPECT_LE(load * local, groups * a * (a - 1) + 1e-9) << net.name();
}

TEST(Dragonfly, OfAnyArrangementIsWiredAndHasItsDistances) {
  for (const char* arrangement : {"relative", "absolute", "circulant", "palm-tree"}) {
    for (const auto& [p, a, h, groups] : std::vector<std::array<i64, 4>>{{2, 4, 2, 0},
                                                                         {1, 3, 1, 0},
                                                                         {2, 2, 1, 0},
                                                                         {1, 1, 4, 0},
                                                                         {1, 3, 3, 0},
                                                                         {1, 4, 2, 5},
                                                                         {2, 3, 2, 2},
                                                                         {1, 4, 2, 4},
                                                                         {1, 2, 6, 3},
                                                                         {1, 5, 1, 6},
                                                                         {1, 1, 1, 2}}) {
      const auto net = dragonfly(p, a, h, arrangement, groups);
      expect_sound_wiring(*net);
      expect_distances_over_one_global_link(*net);
    }
  }
}

TEST(Dragonfly, JoinsGroupsAsItsArrangementSays) {
  const auto ends = [](const char* arrangement, u32 group, u32 k) {
    const auto net = dragonfly(2, 4, 2, arrangement);
    const Dragonfly& fly = as_dragonfly(*net);
    const Peer peer = net->peer(fly.router(group, k / 2), fly.first_global_port() + k % 2);
    const u32 port = fly.number(RouterId{peer.id}) * 2 + peer.port - fly.first_global_port();
    return std::pair{fly.group(RouterId{peer.id}), port};
  };
  EXPECT_EQ(ends("relative", 3, 1), (std::pair{5U, 6U}));
  EXPECT_EQ(ends("relative", 7, 5), (std::pair{4U, 2U}));
  EXPECT_EQ(ends("absolute", 3, 1), (std::pair{1U, 2U}));
  EXPECT_EQ(ends("absolute", 3, 5), (std::pair{6U, 3U}));
  EXPECT_EQ(ends("circulant", 3, 4), (std::pair{6U, 5U}));
  EXPECT_EQ(ends("circulant", 1, 5), (std::pair{7U, 4U}));
  EXPECT_EQ(ends("palm-tree", 3, 1), (std::pair{1U, 6U}));
  EXPECT_EQ(ends("palm-tree", 3, 5), (std::pair{6U, 2U}));
}

TEST(Dragonfly, SaysWhereTheLinkBetweenTwoGroupsIs) {
  for (const char* arrangement : {"relative", "absolute", "circulant", "palm-tree"}) {
    for (const i64 groups : {9, 5, 4}) {
      const auto made = dragonfly(1, 4, 2, arrangement, groups);
      const Dragonfly& net = as_dragonfly(*made);
      EXPECT_EQ(net.links_between(), 8 / (groups - 1));
      for (u32 from = 0; from < groups; ++from) {
        for (u32 to = 0; to < groups; ++to) {
          for (u32 l = 0; from != to && l < net.links_between(); ++l) {
            const auto link = net.global_link(from, to, l);
            const Peer peer = net.peer(net.router(from, link.from_number), link.from_port);
            ASSERT_EQ(peer.kind, Peer::Kind::router);
            ASSERT_EQ(RouterId{peer.id}, net.router(to, link.to_number)) << net.name();
            ASSERT_EQ(peer.port, link.to_port);
          }
        }
      }
    }
  }
}

TEST(Dragonfly, NumbersPortsByLocalGlobalAndNode) {
  const auto net = dragonfly(2, 4, 2);
  EXPECT_EQ(net->ports(RouterId{0}), 3U + 2 + 2);
  EXPECT_EQ(net->peer(RouterId{6}, 1).id, 5U);
  EXPECT_EQ(net->peer(RouterId{6}, 2).id, 7U);
  EXPECT_EQ(net->peer(RouterId{6}, 5).id, 12U);
  EXPECT_EQ(Dragonfly::local_port(2, 3), 2U);
  EXPECT_EQ(net->port_name(RouterId{6}, 2), "local port to router 3 of the group");
  EXPECT_EQ(net->port_name(RouterId{6}, 3), "global port 0");
  EXPECT_EQ(net->link_classes(), (std::vector<std::string>{"link", "node", "global"}));
  EXPECT_EQ(net->link_class(RouterId{6}, 2), 0U);
  EXPECT_EQ(net->link_class(RouterId{6}, 3), 2U);
  EXPECT_EQ(net->link_class(RouterId{6}, 5), Topology::node_link_class());
}

TEST(Dragonfly, HasTheMeanDistancesOfThePublishedSimulator) {
  EXPECT_NEAR(dragonfly(2, 4, 2)->mean_distance(), 4.34, 0.01);
  EXPECT_NEAR(dragonfly(4, 4, 2, "absolute")->mean_distance(), 4.33, 0.01);
  EXPECT_EQ(dragonfly(2, 4, 2)->name(), "relative dragonfly 2,4,2");
  EXPECT_EQ(dragonfly(1, 4, 2, "absolute", 5)->name(), "absolute dragonfly 1,4,2 of 5 groups");
  EXPECT_EQ(dragonfly(2, 4, 2, "palm-tree")->name(), "palm-tree dragonfly 2,4,2");
}

TEST(Dragonfly, IsSharedOutByGroups) {
  const auto net = dragonfly(1, 4, 2);
  const RegularPartition thirds = net->regular_partition(3);
  EXPECT_TRUE(thirds.even);
  for (u32 r = 0; r < net->routers(); ++r) EXPECT_EQ(thirds.part_of(r), r / 12);
  EXPECT_FALSE(net->regular_partition(2).even);
  EXPECT_FALSE(net->regular_partition(10).part_of);
}

TEST(Dragonfly, RefusesImpossibleShapes) {
  const auto error = [](Parameters more) {
    for (const char* key : {"nodes_per_router", "routers_per_group", "global_links"}) {
      if (!more.has(key)) more.set(key, i64{2});
    }
    return error_of("dragonfly", more);
  };
  EXPECT_EQ(error({{"groups", i64{6}}}),
            "topology.groups = 6 is not possible (2 routers of 2 global links reach 4 other groups); use groups = 5");
  EXPECT_EQ(error({{"groups", i64{1}}}),
            "topology.groups = 1 is not possible (a dragonfly has at least 2 groups); use groups = 2");
  EXPECT_NE(error({{"routers_per_group", i64{65536}}, {"global_links", i64{1000}}}).find("use groups = 16384"),
            std::string::npos);
  EXPECT_NE(
      error({{"routers_per_group", i64{65536}}, {"nodes_per_router", i64{65536}}}).find("use nodes_per_router = 16384"),
      std::string::npos);
  EXPECT_EQ(error({{"global_links", i64{0}}}),
            "topology.global_links = 0 is not possible (a dragonfly has 1 to 65536 of them); use global_links = 1");
  EXPECT_NE(error({{"routers_per_group", i64{65536}}, {"global_links", i64{65536}}}).find("use global_links = 32768"),
            std::string::npos);
  EXPECT_EQ(error_of("dragonfly", {}).find("topology.nodes_per_router is missing"), 0U);
}

}  // namespace
}  // namespace weft::models::testing
