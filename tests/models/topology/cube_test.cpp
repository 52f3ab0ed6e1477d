// Meshes and tori: port order, parallel links, load bounds of known networks, sizes at the limit.
#include <gtest/gtest.h>

#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

std::vector<TopologySpec> awkward() {
  std::vector<TopologySpec> shapes;
  for (const char* kind : {"mesh", "torus"}) {
    for (const auto& dims : std::vector<std::vector<i64>>{{2},
                                                          {3},
                                                          {8},
                                                          {2, 2},
                                                          {1, 5},
                                                          {5, 1, 4},
                                                          {8, 8},
                                                          {7, 5},
                                                          {3, 4, 5},
                                                          {2, 3, 2, 3, 2},
                                                          {16, 2},
                                                          {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1}}) {
      shapes.push_back({kind, {{"dims", dims}}});
    }
  }
  for (const auto& dims : std::vector<std::vector<i64>>{{2}, {5}, {4, 3}, {2, 1, 5}}) {
    shapes.push_back({"torus", {{"dims", dims}, {"unidirectional", true}}});
  }
  using List = std::vector<i64>;
  for (const auto& [dims, open] : std::vector<std::pair<List, List>>{
           {{5, 4}, {0}}, {{2, 3, 2, 3, 2}, {0, 2}}, {{6, 1, 3}, {1, 2}}, {{4, 3}, {1, 0}}, {{7}, {0}}, {{4, 4}, {}}}) {
    shapes.push_back({"torus", {{"dims", dims}, {"open_dims", open}}});
  }
  return shapes;
}

std::unique_ptr<Topology> open_torus(std::vector<i64> dims, std::vector<i64> open) {
  return make_topology({"torus", {{"dims", std::move(dims)}, {"open_dims", std::move(open)}}});
}

[[maybe_unused]] const bool cube_shapes_added = test_shapes(awkward());

TEST(Torus, NumbersRoutersAndPortsDimensionByDimension) {
  const auto net = make_cube("torus", {4, 3});
  EXPECT_EQ(net->peer(RouterId{5}, 0).id, 6U);  // (1,1) up in x
  EXPECT_EQ(net->peer(RouterId{5}, 1).id, 4U);
  EXPECT_EQ(net->peer(RouterId{5}, 2).id, 9U);  // up in y
  EXPECT_EQ(net->peer(RouterId{5}, 3).id, 1U);
  EXPECT_EQ(net->peer(RouterId{7}, 0).id, 4U);  // wraps in x
  EXPECT_EQ(net->peer(RouterId{1}, 3).id, 9U);  // wraps in y
  EXPECT_EQ(net->peer(RouterId{5}, 2).port, 3U);
}

TEST(Torus, JoinsTheTwoRoutersOfADimensionOfSizeTwoByTwoLinks) {
  const auto net = make_cube("torus", {2});
  EXPECT_EQ(net->peer(RouterId{0}, 0).id, 1U);
  EXPECT_EQ(net->peer(RouterId{0}, 1).id, 1U);
  EXPECT_EQ(net->peer(RouterId{0}, 0).port, 1U);
  EXPECT_EQ(net->peer(RouterId{0}, 1).port, 0U);
  EXPECT_EQ(net->router_links(), 2U);
}

TEST(Torus, HasNoLinksInADimensionOfSizeOne) {
  const auto net = make_cube("torus", {1, 4});
  EXPECT_EQ(net->peer(RouterId{2}, 0).kind, Peer::Kind::none);
  EXPECT_EQ(net->peer(RouterId{2}, 1).kind, Peer::Kind::none);
  EXPECT_EQ(net->peer(RouterId{2}, 2).id, 3U);
}

TEST(Torus, OfOneWayRingsIsAsFarAsItsWaysUp) {
  const auto net = make_topology({"torus", {{"dims", std::vector<i64>{5, 3}}, {"unidirectional", true}}});
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{1}), 1U);
  EXPECT_EQ(net->distance(NodeId{1}, NodeId{0}), 4U);
  EXPECT_EQ(net->diameter(), 6U);
  EXPECT_DOUBLE_EQ(net->mean_distance(), (2.0 + 1.0) * 15 / 14);
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), 1 / (2.0 * 15 / 14));
}

TEST(Torus, OfOneWayRingsCarriesPacketsUpOnly) {
  const auto net = make_topology({"torus", {{"dims", std::vector<i64>{5, 3}}, {"unidirectional", true}}});
  const auto both = make_cube("torus", {5, 3});
  EXPECT_TRUE(net->one_way());
  EXPECT_FALSE(both->one_way());
  for (u32 port = 0; port < 4; ++port) {
    EXPECT_EQ(net->carries(RouterId{7}, port), port % 2 == 0);
    EXPECT_TRUE(both->carries(RouterId{7}, port));
    EXPECT_EQ(net->peer(RouterId{7}, port).id, both->peer(RouterId{7}, port).id);  // credits come back
  }
  // All the way round each ring, to the node behind.
  EXPECT_EQ(net->worst_case(NodeId{0})->first, 4U + 5 * 2);
}

TEST(Torus, HasLinesInItsOpenDimensions) {
  // Tofu (Ajima et al., IEEE Computer 42(11), 2009): axes a and c are lines of 2, b a ring of 3; 10 links a node.
  const auto net = open_torus({2, 3, 2, 4, 4, 4}, {0, 2});
  u32 links = 0;
  for (u32 port = 0; port < 12; ++port) links += net->peer(RouterId{0}, port).kind == Peer::Kind::router ? 1 : 0;
  EXPECT_EQ(links, 10U);
  EXPECT_EQ(net->router_links(), u64{net->nodes()} * 10 / 2);
  EXPECT_EQ(net->diameter(), 1U + 1 + 1 + 2 + 2 + 2);
  EXPECT_EQ(net->name(), "2x3x2x4x4x4 torus open in dimensions 0, 2");
}

TEST(Torus, OpenInAllDimensionsIsAMesh) {
  const auto net = open_torus({4, 3}, {0, 1}), mesh = make_cube("mesh", {4, 3});
  for (u32 router = 0; router < net->routers(); ++router) {
    for (u32 port = 0; port < 4; ++port) {
      EXPECT_EQ(net->peer(RouterId{router}, port).kind, mesh->peer(RouterId{router}, port).kind);
      EXPECT_EQ(net->peer(RouterId{router}, port).id, mesh->peer(RouterId{router}, port).id);
    }
  }
  EXPECT_EQ(net->name(), "4x3 mesh");
  EXPECT_DOUBLE_EQ(net->mean_distance(), mesh->mean_distance());
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), mesh->uniform_load_bound());
}

TEST(Mesh, EndsAtItsBorders) {
  const auto net = make_cube("mesh", {3, 2});
  EXPECT_EQ(net->peer(RouterId{2}, 0).kind, Peer::Kind::none);
  EXPECT_EQ(net->peer(RouterId{0}, 1).kind, Peer::Kind::none);
  EXPECT_EQ(net->peer(RouterId{0}, 3).kind, Peer::Kind::none);
  EXPECT_EQ(net->peer(RouterId{0}, 2).id, 3U);
}

TEST(Torus, HasTheKnownUniformLoadBounds) {
  // 8/k over the N-1 other nodes; 1 where the links could carry more than the nodes consume.
  EXPECT_DOUBLE_EQ(make_cube("torus", {16, 16})->uniform_load_bound(), 0.5 * 255 / 256);
  EXPECT_DOUBLE_EQ(make_cube("torus", {16, 4})->uniform_load_bound(), 0.5 * 63 / 64);
  EXPECT_DOUBLE_EQ(make_cube("torus", {64})->uniform_load_bound(), 0.125 * 63 / 64);
  EXPECT_DOUBLE_EQ(make_cube("torus", {4, 4, 4})->uniform_load_bound(), 1.0);
  EXPECT_NEAR(make_cube("torus", {15})->uniform_load_bound(), 2.0 / 4, 1e-12);  // mean distance (1+..+7)/7 = 4
}

TEST(Mesh, HasTheLoadBoundOfItsMiddleLinks) {
  EXPECT_DOUBLE_EQ(make_cube("mesh", {8, 8})->uniform_load_bound(), 0.5 * 63 / 64);
  EXPECT_DOUBLE_EQ(make_cube("mesh", {4, 16})->uniform_load_bound(), 0.25 * 63 / 64);
  EXPECT_DOUBLE_EQ(make_cube("mesh", {2})->uniform_load_bound(), 1.0);
  EXPECT_DOUBLE_EQ(make_cube("mesh", {3})->uniform_load_bound(), 1.0);  // 1 node sends to 2, half its traffic each
}

TEST(Mesh, BoundsTheLoadByTheBusiestLinkUnderUniformTraffic) {
  // On a line routes are unique, so that the load of every link can be counted.
  for (const u32 k : {2U, 5U, 6U, 9U}) {
    u32 busiest = 0;
    for (u32 link = 0; link + 1 < k; ++link) busiest = std::max(busiest, (link + 1) * (k - link - 1));
    const double expected = std::min(1.0, (k - 1.0) / busiest);
    EXPECT_DOUBLE_EQ(make_cube("mesh", {i64{k}})->uniform_load_bound(), expected) << k;
  }
}

TEST(Torus, IsNamedAsInPapers) {
  EXPECT_EQ(make_cube("torus", {8, 8})->name(), "8x8 torus");
  EXPECT_EQ(make_cube("mesh", {4, 2, 3})->name(), "4x2x3 mesh");
  EXPECT_EQ(make_cube("torus", {64})->name(), "64-node ring");
}

TEST(Torus, WorksAtTheLargestSize) {
  const auto net = make_cube("torus", {2048, 1024, 1024});
  const RouterId last{(1U << 31) - 1};
  EXPECT_EQ(net->nodes(), 1U << 31);
  EXPECT_EQ(net->router_links(), u64{3} << 31);
  EXPECT_EQ(net->peer(last, 4).id, (1U << 21) - 1);
  EXPECT_EQ(net->peer(last, 5).id, last.value() - (1U << 21));
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{last.value()}), 3U);
  EXPECT_EQ(net->diameter(), 2048U);
}

}  // namespace
}  // namespace weft::models::testing
