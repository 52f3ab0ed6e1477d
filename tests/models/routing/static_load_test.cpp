// The most loaded link of fixed routes, where it is known.
#include "models/routing/static_load.hpp"

#include <gtest/gtest.h>

#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

using Ints = std::vector<i64>;
constexpr u64 plenty = 10'000'000;

std::optional<WorstLink> worst(const TopologySpec& spec, const std::string& mode, u64 most_steps = plenty) {
  const auto topology = make_topology(spec);
  RouterSettings settings;
  settings.kind = "fat-tree";
  settings.mode = mode;
  const auto routing = router_kind("fat-tree").routing(*topology, settings);
  return worst_static_link(*topology, *routing, 1, most_steps).worst;
}

TEST(StaticLoad, OfAFullTreeWithDmodkIsThatOfTheNodes) {
  const auto found = worst({"tree", {{"arity", i64{4}}, {"levels", i64{3}}}}, "d-mod-k");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->load_bound, 1.0);
}

TEST(StaticLoad, IsHalfWhereElevenNodesComeDownTenLinks) {
  // However they are shared out, two nodes of a leaf have a link in common, and all that is sent to them takes it.
  const TopologySpec xgft{"xgft", {{"m", Ints{11, 10, 10}}, {"w", Ints{1, 10, 10}}}};
  const auto found = worst(xgft, "d-mod-k");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->load_bound, 0.5, 0.01);
  EXPECT_NEAR(make_topology(xgft)->uniform_load_bound(), 10.0 / 11 / (1089.0 / 1099), 1e-9);
  EXPECT_FALSE(worst(xgft, "d-mod-k", 500'000)) << "no sample finds links that two destinations share";
}

TEST(StaticLoad, OfASampleHasItsError) {
  // Everything from 3/4 of the 256 nodes to the 64 of a branch comes down one link.
  const TopologySpec thin{"xgft", {{"m", Ints{8, 8, 4}}, {"w", Ints{1, 1, 1}}}};
  const double bound = 255.0 / (64 * 192);
  const auto found = worst(thin, "d-mod-k");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->load_bound, bound, 1e-9);
  const auto sampled = worst(thin, "d-mod-k", 25'000);
  ASSERT_TRUE(sampled);
  EXPECT_FALSE(sampled->exact);
  EXPECT_LT(sampled->destinations, 256U);
  EXPECT_GT(sampled->error, 0);
  EXPECT_NEAR(sampled->load_bound, bound, 2 * sampled->error);
}

TEST(StaticLoad, IsUnknownOfRoutesThatLeaveAChoiceAndOfLargeNetworks) {
  const TopologySpec tree{"tree", {{"arity", i64{4}}, {"levels", i64{3}}}};
  EXPECT_FALSE(worst(tree, "random"));
  EXPECT_FALSE(worst(tree, "adaptive-up"));
  EXPECT_FALSE(worst(tree, "d-mod-k", 100));
}

}  // namespace
}  // namespace weft::models
