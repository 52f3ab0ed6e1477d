// The engine that is taken where nobody says which.
#include "models/subnet/engine/best_engine.hpp"

#include <gtest/gtest.h>

#include "models/subnet/dependencies.hpp"

namespace weft::models {
namespace {

Subnet subnet(const TopologySpec& spec) { return subnet_of(*make_topology(spec)); }

double most_of_engines(const Subnet& of, u32 layers) {
  double most = 0;
  for (const std::string& engine : RoutingEngineRegistry::instance().names()) {
    try {
      const FabricRouting made = route_subnet(of, engine, {.most_layers = layers});
      if (layers > 1 || find_credit_loops(of, made.tables).tangles == 0)
        most = std::max(most, uniform_bound(of, made.tables));
    } catch (const ConfigError&) {
    }
  }
  return most;
}

TEST(BestEngine, IsTheOneWhoseRoutesCarryMost) {
  for (const TopologySpec& spec : {TopologySpec{"tree", {{"arity", i64{4}}, {"levels", i64{3}}}},
                                   TopologySpec{"slim-fly", {{"q", i64{5}}, {"nodes_per_router", i64{4}}}},
                                   TopologySpec{"torus", {{"dims", std::vector<i64>{4, 4}}}}}) {
    const Subnet of = subnet(spec);
    const BestRouting best = best_routing(of, 8);
    EXPECT_GE(uniform_bound(of, best.routing.tables), 0.99 * most_of_engines(of, 8)) << best.engine;
    EXPECT_EQ(best_routing(of, 8).engine, best.engine);
  }
}

TEST(BestEngine, HasNoCreditLoopInOneLayer) {
  const Subnet of = subnet({"torus", {{"dims", std::vector<i64>{5, 5}}}});
  const BestRouting best = best_routing(of, 1, true);
  EXPECT_EQ(find_credit_loops(of, best.routing.tables).tangles, 0U) << best.engine;
  EXPECT_GE(uniform_bound(of, best.routing.tables), 0.99 * most_of_engines(of, 1));
}

TEST(BestEngine, OfEqualsIsDmodkOnAFullTree) {
  const Subnet of = subnet({"tree", {{"arity", i64{4}}, {"levels", i64{3}}}});
  EXPECT_EQ(best_routing(of, 4).engine, "dmodk");
  EXPECT_EQ(uniform_bound(of, best_routing(of, 4).routing.tables), 1.0);
}

}  // namespace
}  // namespace weft::models
