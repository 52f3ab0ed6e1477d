// Shapes of a size: what each kind offers is about that size, and the balanced shapes that papers name are among them.
#include "models/topology/shapes_near.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

#include "engine/base/error.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

/// The networks that a kind offers; what cannot be made is left out.
std::vector<std::unique_ptr<Topology>> offered(const std::string& kind, const SizeWish& wish) {
  std::vector<std::unique_ptr<Topology>> all;
  for (Parameters shape : ShapesNearRegistry::instance().find(kind)->shapes(wish)) {
    for (const Setting& setting : TopologyRegistry::instance().find(kind)->settings) {
      if (!shape.has(setting.name()) && setting.fallback.index() != 0) shape.set(setting.name(), setting.fallback);
    }
    try {
      all.push_back(make_topology({kind, shape}));
    } catch (const ConfigError&) {
    }
  }
  return all;
}

bool offers(const std::string& kind, const SizeWish& wish, const std::string& name) {
  return std::ranges::any_of(offered(kind, wish), [&](const auto& network) { return network->name() == name; });
}

TEST(ShapesNear, OfEachKindThereIsOneOfAboutThatSize) {
  ASSERT_GE(ShapesNearRegistry::instance().names().size(), 10U);
  for (const std::string& kind : ShapesNearRegistry::instance().names()) {
    ASSERT_NE(TopologyRegistry::instance().find(kind), nullptr) << kind;
    for (const u64 nodes : {64U, 500U, 1000U, 5000U, 40'000U}) {
      if (kind == "full-mesh" && nodes > 256) continue;
      const auto networks = offered(kind, {nodes, 0});
      const bool near = std::ranges::any_of(networks, [&](const auto& network) {
        return 3 * network->nodes() < 4 * nodes && 4 * network->nodes() > 3 * nodes;
      });
      EXPECT_TRUE(near) << kind << " of " << nodes;
    }
  }
}

// Kim et al., ISCA 2008: a = 2 p = 2 h, h = 4 has 1,056 nodes. Besta and Hoefler, SC 2014: q = 5, 4 nodes a router. A
// full fat tree of three levels of switches of 16 ports has 16^3 / 4 nodes.
TEST(ShapesNear, TheShapesOfPapersAreFound) {
  EXPECT_TRUE(offers("dragonfly", {1056, 0},
                     make_topology({"dragonfly",
                                    {{"nodes_per_router", i64{4}},
                                     {"routers_per_group", i64{8}},
                                     {"global_links", i64{4}},
                                     {"arrangement", std::string("relative")}}})
                         ->name()));
  EXPECT_TRUE(offers("slim-fly", {200, 0}, make_topology({"slim-fly", {{"q", i64{5}}}})->name()));
  const Parameters tree{{"m", std::vector<i64>{8, 8, 16}}, {"w", std::vector<i64>{1, 8, 8}}};
  EXPECT_TRUE(offers("pgft", {1024, 16}, make_topology({"pgft", tree})->name()));
  EXPECT_TRUE(offers("torus", {4096, 0}, make_topology({"torus", {{"dims", std::vector<i64>{16, 16, 16}}}})->name()));
}

// With 64 ports: 4,096 nodes on 128 leaves, 128 switches of 4 pods and 64 above them, joined to each switch by 16
// cables. With half as many links up as nodes a leaf has 42 of these and 21 of those.
TEST(ShapesNear, FatTreesUseAllPortsOfTheirUppermostSwitches) {
  const auto smallest = [](double least_bound) {
    u32 routers = UINT32_MAX;
    for (const auto& network : offered("pgft", {4096, 64})) {
      const bool fits = network->nodes() > 4000 && network->uniform_load_bound() >= least_bound;
      if (fits) routers = std::min(routers, network->routers());
    }
    return routers;
  };
  EXPECT_EQ(smallest(0.99), 320U);
  EXPECT_LT(smallest(0.45), 250U);
}

// With 64 ports: a = 2 p = 2 h, 4 h - 1 of them, so 8 groups of 32 routers of 16 nodes; 63 ports.
TEST(ShapesNear, DragonfliesUseAllPortsOfARadix) {
  EXPECT_TRUE(std::ranges::any_of(offered("dragonfly", {4096, 64}),
                                  [](const auto& network) { return network->routers() == 256; }));
  EXPECT_TRUE(std::ranges::any_of(offered("dragonfly-plus", {4096, 64}),
                                  [](const auto& network) { return network->routers() == 256; }));
}

}  // namespace
}  // namespace weft::models
