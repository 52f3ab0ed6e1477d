// PolarFlies: graphs of diameter 2 for every power of a prime, their quadrics, unique shortest paths, the fullest link,
// published sizes, keys that are refused.
#include "models/topology/kind/polarfly.hpp"

#include <fmt/format.h>
#include <map>
#include <set>

#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/parts.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool polarfly_shapes_added =
    test_shapes({{"polarfly", {{"q", i64{2}}, {"nodes_per_router", i64{1}}}},
                 {"polarfly", {{"q", i64{4}}}},
                 {"polarfly", {{"q", i64{5}}, {"nodes_per_router", i64{2}}}}});

constexpr u32 some_orders[] = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16};
using Neighbours = std::vector<std::vector<u32>>;  ///< [router], in the order of ports

Neighbours neighbours_in(const PolarFly& net) {
  Neighbours all(net.routers());
  for (u32 r = 0; r < net.routers(); ++r) {
    for (u32 p = 0; p < net.links_of(RouterId{r}); ++p) all[r].push_back(net.peer(RouterId{r}, p).id);
  }
  return all;
}

bool linked(const Neighbours& neighbours, u32 a, u32 b) { return std::ranges::count(neighbours[a], b) > 0; }

TEST(PolarFly, HasOnePathBetweenAnyTwoRouters) {
  for (const u32 q : some_orders) {
    const PolarFly net(q, 1);
    const Neighbours neighbours = neighbours_in(net);
    ASSERT_EQ(net.routers(), q * q + q + 1);
    u32 quadrics = 0;
    u64 links = 0;
    for (u32 a = 0; a < net.routers(); ++a) {
      quadrics += neighbours[a].size() == q ? 1 : 0;
      links += neighbours[a].size();
      ASSERT_TRUE(std::ranges::is_sorted(neighbours[a])) << net.name();
      const std::set<u32> different(neighbours[a].begin(), neighbours[a].end());
      ASSERT_EQ(different.size(), neighbours[a].size()) << net.name();
      ASSERT_FALSE(different.contains(a)) << net.name();
      for (u32 b = 0; b < net.routers(); ++b) {
        if (a == b) continue;
        std::vector<u32> common;
        std::ranges::copy_if(neighbours[a], std::back_inserter(common),
                             [&](u32 r) { return linked(neighbours, r, b); });
        const u32 port = net.port_to(RouterId{a}, RouterId{b});
        if (linked(neighbours, a, b)) {
          ASSERT_EQ(neighbours[a][port], b) << net.name();
          ASSERT_LE(common.size(), 1U) << net.name();
        } else {
          ASSERT_EQ(port, PolarFly::no_port) << net.name();
          ASSERT_EQ(common.size(), 1U) << net.name();
          ASSERT_EQ(net.between(RouterId{a}, RouterId{b}, a * b).value(), common.front()) << net.name();
        }
      }
    }
    EXPECT_EQ(quadrics, q + 1) << net.name();
    EXPECT_EQ(links, 2 * net.router_links()) << net.name();
  }
}

TEST(PolarFly, IsWiredBothWays) {
  for (const u32 q : some_orders) expect_sound_wiring(PolarFly(q, q % 3 + 1));
}

TEST(PolarFly, HasItsDistances) {
  for (const u32 q : {2U, 3U, 4U, 5U, 7U}) expect_true_distances(PolarFly(q, q % 3 + 1));
}

TEST(PolarFly, IsFullestOnLinksToQuadrics) {
  for (const u32 q : some_orders) {
    const PolarFly net(q, 1);
    std::map<std::pair<u32, u32>, u32> pairs;
    for (u32 a = 0; a < net.routers(); ++a) {
      for (u32 b = 0; b < net.routers(); ++b) {
        if (a == b) continue;
        const RouterId from{a}, to{b};
        if (net.hops(from, to) == 1) {
          ++pairs[{a, b}];
          continue;
        }
        const u32 by = net.between(from, to, 0).value();
        ++pairs[{a, by}], ++pairs[{by, b}];
      }
    }
    for (const auto& [link, count] : pairs) {
      const bool to_quadric = net.quadric(RouterId{link.first}) || net.quadric(RouterId{link.second});
      ASSERT_EQ(count, to_quadric ? 2 * q : 2 * q - 1) << net.name();
    }
  }
}

TEST(PolarFly, HasThePublishedSizes) {
  // Lakhotia et al., SC 2022: degree 32 has 993 routers; SST's polarfly_455.
  EXPECT_EQ(made("polarfly", {{"q", i64{31}}})->routers(), 993U);
  const auto net = made("polarfly", {{"q", i64{9}}, {"nodes_per_router", i64{5}}});
  EXPECT_EQ(net->nodes(), 455U);
  EXPECT_EQ(net->name(), "PolarFly 9,5");
  EXPECT_EQ(net->diameter(), 4U);
  EXPECT_EQ(net->kind_routers(0) + net->kind_routers(1), 91U);
}

TEST(PolarFly, RefusesOrdersThatItDoesNotExistFor) {
  EXPECT_EQ(error_of("polarfly", {{"q", i64{6}}}),
            "topology.q = 6 is not possible (a PolarFly needs a power of a prime: 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, "
            "17...); use q = 5");
  EXPECT_EQ(error_of("polarfly", {}), "topology.q is missing (a PolarFly needs it); use e.g. q = 7");
  EXPECT_NE(error_of("polarfly", {{"q", i64{-1}}}).find("use q = 2"), std::string::npos);
  EXPECT_NE(error_of("polarfly", {{"q", i64{2048}}}).find("more than 2147483648 nodes"), std::string::npos);
}

}  // namespace
}  // namespace weft::models::testing
