// Jellyfish networks: as many links at each router as there can be, no two between two routers, distances, seeds, mean
// distances as random graphs have them, keys that are refused.
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/parts.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

Parameters jellyfish_keys(i64 routers, i64 degree, i64 nodes, i64 seed = 1) {
  return {{"routers", routers}, {"degree", degree}, {"nodes_per_router", nodes}, {"seed", seed}};
}

[[maybe_unused]] const bool jellyfish_shapes_added = test_shapes({{"jellyfish", jellyfish_keys(7, 3, 1)},
                                                                  {"jellyfish", jellyfish_keys(12, 5, 2, 3)},
                                                                  {"jellyfish", jellyfish_keys(6, 5, 1)}});

/// Routers that a router has links to, in the order of ports.
std::vector<u32> links_from(const Topology& net, u32 router) {
  std::vector<u32> all;
  for (u32 p = 0; p < net.ports(RouterId{router}); ++p) {
    const Peer peer = net.peer(RouterId{router}, p);
    if (peer.kind == Peer::Kind::router) all.push_back(peer.id);
  }
  return all;
}

TEST(Jellyfish, GivesEachRouterItsLinksToDifferentOthers) {
  for (i64 seed = 0; seed < 8; ++seed) {
    for (const auto& [routers, degree] : {std::pair<i64, i64>{20, 4}, {21, 3}, {50, 7}, {9, 8}, {100, 24}}) {
      const auto net = made("jellyfish", jellyfish_keys(routers, degree, 1, seed));
      u32 missing = 0;
      for (u32 r = 0; r < net->routers(); ++r) {
        const std::vector<u32> near = links_from(*net, r);
        const std::set<u32> different(near.begin(), near.end());
        ASSERT_EQ(different.size(), near.size());
        ASSERT_FALSE(different.contains(r));
        missing += static_cast<u32>(degree) - static_cast<u32>(near.size());
      }
      // One port is left over if their number is odd.
      EXPECT_EQ(missing, routers * degree % 2) << net->name() << ", seed " << seed;
      EXPECT_EQ(net->router_links(), static_cast<u64>(routers * degree / 2)) << net->name();
    }
  }
}

TEST(Jellyfish, IsWiredBothWaysAndHasItsDistances) {
  for (i64 seed = 1; seed < 4; ++seed) {
    const auto net = made("jellyfish", jellyfish_keys(70, 5, 2, seed));
    expect_sound_wiring(*net);
    expect_true_distances(*net);
  }
}

TEST(Jellyfish, IsAnotherNetworkWithAnotherSeed) {
  std::set<std::vector<u32>> first;
  for (i64 seed = 0; seed < 10; ++seed) {
    const auto net = made("jellyfish", jellyfish_keys(40, 6, 1, seed));
    first.insert(links_from(*net, 0));
    ASSERT_EQ(links_from(*net, 0), links_from(*made("jellyfish", jellyfish_keys(40, 6, 1, seed)), 0));
  }
  EXPECT_EQ(first.size(), 10U);
}

TEST(Jellyfish, IsHardlyLongerThanAnyGraphMustBe) {
  // Cerf, Cowan, Mullin, Stanton, Networks 4, 1974: of N routers of degree r at most r are 1 link away, r (r - 1) are 2
  // ... Random graphs are within a few per cent of that (Singla et al., NSDI 2014, within 10 % from 100 routers on).
  for (const auto& [routers, degree] : {std::pair<i64, i64>{200, 8}, {1000, 12}, {1000, 24}}) {
    double left = static_cast<double>(routers) - 1, sum = 0, ring = static_cast<double>(degree);
    for (i64 hops = 1; left > 0; ++hops, ring *= static_cast<double>(degree) - 1) {
      const double here = std::min(left, ring);
      sum += here * static_cast<double>(hops);
      left -= here;
    }
    const auto net = made("jellyfish", jellyfish_keys(routers, degree, 1));
    const double mean = net->mean_distance() - 2, least = sum / (static_cast<double>(routers) - 1);
    EXPECT_GE(mean, least) << net->name();
    EXPECT_LE(mean, 1.1 * least) << net->name();
  }
}

TEST(Jellyfish, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(error_of("jellyfish", jellyfish_keys(6, 6, 1)),
            "topology.degree = 6 is not possible (there are 6 routers, and no two have two links); use degree = 5");
  EXPECT_NE(error_of("jellyfish", jellyfish_keys(20'000, 4, 1)).find("use routers = 16384"), std::string::npos);
  EXPECT_NE(error_of("jellyfish", {}).find("topology.routers is missing"), std::string::npos);
  // Rings of which several make up the routers.
  u32 refused = 0;
  for (i64 seed = 0; seed < 20; ++seed) {
    try {
      static_cast<void>(made("jellyfish", jellyfish_keys(30, 2, 1, seed)));
    } catch (const ConfigError& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("fall apart"), std::string::npos);
    }
  }
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace weft::models::testing
