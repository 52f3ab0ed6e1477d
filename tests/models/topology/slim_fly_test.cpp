// Slim Flies: graphs of diameter 2 for every q, the graph of Hoffman and Singleton, ways between routers, the fullest
// link, the worst permutation, published sizes, keys that are refused.
#include "models/topology/kind/slim_fly.hpp"

#include <fmt/format.h>
#include <map>
#include <set>

#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/parts.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool slim_fly_shapes_added =
    test_shapes({{"slim-fly", {{"q", i64{4}}, {"nodes_per_router", i64{1}}}},
                 {"slim-fly", {{"q", i64{5}}}},
                 {"slim-fly", {{"q", i64{7}}, {"nodes_per_router", i64{1}}}},
                 {"slim-fly", {{"q", i64{9}}, {"nodes_per_router", i64{2}}}}});

std::vector<u32> orders_up_to(u32 most) {
  std::vector<u32> orders;
  for (u32 q = 0; q <= most; ++q) {
    if (SlimFly::exists(q)) orders.push_back(q);
  }
  return orders;
}

using Neighbours = std::vector<std::vector<u32>>;  ///< [router], in the order of ports

Neighbours neighbours_in(const SlimFly& net) {
  Neighbours all(net.routers());
  for (u32 r = 0; r < net.routers(); ++r) {
    for (u32 p = 0; p < net.degree(); ++p) all[r].push_back(net.peer(RouterId{r}, p).id);
  }
  return all;
}

/// Routers that a router reaches over two links at most, itself included.
std::size_t within_two_links(const Neighbours& neighbours, u32 start) {
  std::vector<bool> seen(neighbours.size());
  seen[start] = true;
  for (const u32 near : neighbours[start]) {
    seen[near] = true;
    for (const u32 far : neighbours[near]) seen[far] = true;
  }
  return static_cast<std::size_t>(std::ranges::count(seen, true));
}

TEST(SlimFly, ExistsForPowersOfPrimesButTwo) {
  EXPECT_EQ(orders_up_to(64), (std::vector<u32>{3,  4,  5,  7,  8,  9,  11, 13, 16, 17, 19, 23, 25,
                                                27, 29, 31, 32, 37, 41, 43, 47, 49, 53, 59, 61, 64}));
}

TEST(SlimFly, HasDiameterTwoForEveryOrder) {
  for (const u32 q : orders_up_to(64)) {
    const SlimFly net(q, 1);
    const Neighbours neighbours = neighbours_in(net);
    ASSERT_EQ(net.routers(), 2 * q * q);
    // Small networks are searched from every router. Larger ones look alike from all routers of a half: y, c may be
    // moved alike; x, with c going by - m; m, with y going by x. From one of each group then, or of each half.
    const u32 step = q <= 9 ? 1 : q, end = q <= 27 ? net.routers() : 2 * q;
    for (u32 start = 0; start < end; start += step) {
      ASSERT_EQ(neighbours[start].size(), (3 * q - (q % 4 == 3 ? ~u32{0} : q % 4)) / 2) << net.name();
      const std::set<u32> different(neighbours[start].begin(), neighbours[start].end());
      ASSERT_EQ(different.size(), net.degree()) << net.name();
      ASSERT_FALSE(different.contains(start)) << net.name();
      ASSERT_EQ(within_two_links(neighbours, start), net.routers()) << net.name() << " from " << start;
    }
  }
}

TEST(SlimFly, IsWiredBothWays) {
  for (const u32 q : orders_up_to(32)) expect_sound_wiring(SlimFly(q, 2));
}

TEST(SlimFly, HasItsDistances) {
  for (const u32 q : {3U, 4U, 5U, 7U, 8U, 9U}) expect_true_distances(SlimFly(q, q % 3 + 1));
}

TEST(SlimFly, OfOrderFiveIsTheGraphOfHoffmanAndSingleton) {
  const SlimFly net(5, 1);
  const Neighbours neighbours = neighbours_in(net);
  ASSERT_EQ(neighbours.size(), 50U);
  // Strongly regular with (50, 7, 0, 1): no triangles, no squares, so girth 5.
  for (u32 a = 0; a < 50; ++a) {
    ASSERT_EQ(neighbours[a].size(), 7U);
    for (u32 b = 0; b < 50; ++b) {
      if (a == b) continue;
      const auto linked = [&](u32 r) { return std::ranges::count(neighbours[b], r) > 0; };
      ASSERT_EQ(std::ranges::count_if(neighbours[a], linked), linked(a) ? 0 : 1) << a << " and " << b;
    }
  }
}

TEST(SlimFly, FindsAllRoutersBetweenTwoByLot) {
  for (const u32 q : orders_up_to(9)) {
    const SlimFly net(q, 1);
    const Neighbours neighbours = neighbours_in(net);
    for (u32 from = 0; from < net.routers(); ++from) {
      for (u32 to = 0; to < net.routers(); to += to % 3 + 2) {
        const auto linked = [&](u32 r) { return std::ranges::count(neighbours[to], r) > 0; };
        const u32 port = net.port_to(RouterId{from}, RouterId{to});
        ASSERT_EQ(port != SlimFly::no_port, linked(from)) << net.name() << ": " << from << " to " << to;
        if (port != SlimFly::no_port) {
          ASSERT_EQ(neighbours[from][port], to);
        }
        if (from == to || linked(from)) continue;
        std::set<u32> expected, found;
        std::ranges::copy_if(neighbours[from], std::inserter(expected, expected.end()), linked);
        for (u64 trial = 0; trial < 40; ++trial) {
          found.insert(net.between(RouterId{from}, RouterId{to}, engine::remix(trial, from)).value());
        }
        ASSERT_EQ(found, expected) << net.name() << ": " << from << " to " << to;
      }
    }
  }
}

TEST(SlimFly, DrawsEachRouterBetweenTwoAsOften) {
  // Differences in one group that are no generators: (q - 5) / 4 pairs of generators make each up, and their opposites.
  const SlimFly net(29, 1);
  const RouterId from = net.router({0, 3, 0}), to = net.router({0, 3, net.generators(1)[0]});
  ASSERT_EQ(net.hops(from, to), 2U);
  std::map<u32, u32> drawn;
  constexpr u32 trials = 7000;
  for (u64 trial = 0; trial < trials; ++trial) ++drawn[net.between(from, to, engine::remix(trial, 1)).value()];
  ASSERT_EQ(drawn.size(), 7U);
  for (const auto& [router, times] : drawn) EXPECT_NEAR(times, trials / 7.0, 150) << router;
}

TEST(SlimFly, IsFullestOnLinksBetweenTheHalves) {
  for (const u32 q : orders_up_to(19)) {
    const SlimFly net(q, 1);
    const Neighbours neighbours = neighbours_in(net);
    std::vector<double> load(std::size_t{net.routers()} * net.degree());
    std::vector<u32> ways(net.routers());
    for (u32 from = 0; from < net.routers(); ++from) {
      std::ranges::fill(ways, 0);
      for (const u32 near : neighbours[from]) {
        for (const u32 far : neighbours[near]) ++ways[far];
      }
      for (const u32 near : neighbours[from]) ways[near] = 0;
      ways[from] = 0;
      for (u32 p = 0; p < net.degree(); ++p) {
        const u32 near = neighbours[from][p];
        load[from * net.degree() + p] += 1;
        for (u32 r = 0; r < net.degree(); ++r) {
          const u32 far = neighbours[near][r];
          if (ways[far] == 0) continue;
          load[from * net.degree() + p] += 1.0 / ways[far];
          load[near * net.degree() + r] += 1.0 / ways[far];
        }
      }
    }
    for (std::size_t link = 0; link < load.size(); ++link) {
      const bool between_halves = link % net.degree() >= net.generators(0).size();
      ASSERT_LE(load[link], net.pairs_over_link() + 1e-9) << net.name() << " link " << link;
      if (between_halves) {
        ASSERT_NEAR(load[link], net.pairs_over_link(), 1e-9) << net.name() << " link " << link;
      }
    }
  }
}

TEST(SlimFly, HasAWorstPermutationThatSharesEachLinkOfItsCircles) {
  for (const u32 q : orders_up_to(19)) {
    const SlimFly net(q, 1);
    const Neighbours neighbours = neighbours_in(net);
    std::set<u32> partners;
    std::map<std::pair<u32, u32>, u32> uses;
    for (u32 r = 0; r < net.routers(); ++r) {
      const u32 partner = net.worst_partner(RouterId{r}).value();
      partners.insert(partner);
      ASSERT_EQ(net.hops(RouterId{r}, RouterId{partner}), 2U) << net.name();
      const auto linked = [&](u32 near) { return std::ranges::count(neighbours[partner], near) > 0; };
      ASSERT_EQ(std::ranges::count_if(neighbours[r], linked), 1) << net.name();
      const u32 by = *std::ranges::find_if(neighbours[r], linked);
      ++uses[{r, by}];
      ++uses[{by, partner}];
    }
    EXPECT_EQ(partners.size(), net.routers()) << net.name();
    EXPECT_EQ(uses.size(), net.routers()) << net.name();
    for (const auto& [link, times] : uses) ASSERT_EQ(times, 2U) << net.name();
  }
}

TEST(SlimFly, HasThePublishedSizes) {
  // Besta, Hoefler, SC 2014: the network of 10,830 nodes.
  const auto net = made("slim-fly", {{"q", i64{19}}});
  EXPECT_EQ(net->routers(), 722U);
  EXPECT_EQ(net->nodes(), 10'830U);
  EXPECT_EQ(net->ports(RouterId{0}), 29U + 15);
  EXPECT_EQ(net->nodes_at(RouterId{721}), 15U);
  EXPECT_EQ(net->diameter(), 4U);
  EXPECT_NEAR(net->uniform_load_bound(), 10829.0 / (15 * 15 * 55), 1e-12);
  EXPECT_EQ(net->name(), "Slim Fly 19,15");
  EXPECT_EQ(made("slim-fly", {{"q", i64{5}}, {"nodes_per_router", i64{3}}})->nodes(), 150U);
}

TEST(SlimFly, NumbersPortsByGeneratorsGroupsAndNodes) {
  const SlimFly net(5, 2);
  // (0, 2, 3) and its neighbours of slopes 0 to 4.
  const RouterId here = net.router({0, 2, 3});
  EXPECT_EQ(here.value(), 23U);
  EXPECT_EQ(net.peer(here, 0).id, net.router({0, 2, 4}).value());
  EXPECT_EQ(net.peer(here, 2).id, net.router({1, 0, 3}).value());
  EXPECT_EQ(net.peer(here, 6).id, net.router({1, 4, 0}).value());
  EXPECT_EQ(net.peer(here, 6).port, 2U + 2);
  EXPECT_EQ(net.peer(here, 8).id, 47U);
  EXPECT_EQ(net.port_name(here, 1), "port to element + 4 of its group");
  EXPECT_EQ(net.port_name(here, 6), "port to group 4 of half 1");
  EXPECT_EQ(net.port_name(here, 7), "node port 0");
}

TEST(SlimFly, IsSharedOutByRacks) {
  const SlimFly net(5, 1);
  const RegularPartition all = net.regular_partition(5);
  EXPECT_TRUE(all.even);
  for (u32 r = 0; r < net.routers(); ++r) EXPECT_EQ(all.part_of(r), r / 10);
  // 2q links between any two racks.
  EXPECT_EQ(cut_links(net, all.part_of), 10U * 10);
  EXPECT_FALSE(net.regular_partition(2).even);
  EXPECT_FALSE(net.regular_partition(6).part_of);
}

TEST(SlimFly, RefusesOrdersThatItDoesNotExistFor) {
  const auto suggested = [](i64 q, i64 p = 0) {
    Parameters keys{{"q", q}};
    if (p != 0) keys.set("nodes_per_router", p);
    const std::string error = error_of("slim-fly", keys);
    EXPECT_EQ(error.find(fmt::format("topology.q = {} is not possible (", q)), 0U) << error;
    return error.substr(error.rfind("; ") + 2);
  };
  EXPECT_EQ(suggested(6), "use q = 5");
  EXPECT_EQ(suggested(15), "use q = 16");
  EXPECT_EQ(suggested(2), "use q = 3");
  EXPECT_EQ(suggested(-7), "use q = 3");
  EXPECT_EQ(suggested(100'000), "use q = 1123");
  EXPECT_EQ(suggested(100'000, 1), "use q = 32768");
  EXPECT_EQ(suggested(131, 65'536), "use q = 128");
  EXPECT_NE(error_of("slim-fly", {{"q", i64{12}}}).find("needs a power of a prime, 4w - 1, 4w or 4w + 1"),
            std::string::npos);
  EXPECT_NE(error_of("slim-fly", {{"q", i64{2048}}}).find("more than 2147483648 nodes"), std::string::npos);
  EXPECT_EQ(error_of("slim-fly", {}), "topology.q is missing (a Slim Fly needs it); use e.g. q = 5");
  EXPECT_EQ(error_of("slim-fly", {{"q", i64{5}}, {"nodes_per_router", i64{0}}}),
            "topology.nodes_per_router = 0 is not possible (a Slim Fly has 1 to 65536 of them); use "
            "nodes_per_router = 1");
}

}  // namespace
}  // namespace weft::models::testing
