// Layouts of all parts of a network: together they have everything once, and agree on where links lead.
#include "models/core/layout.hpp"

#include <gtest/gtest.h>
#include <set>

#include "models/topology/topology.hpp"
#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models::testing {
namespace {

std::vector<Layout> layouts(const Topology& topology, const PartOf& part_of, u32 parts) {
  std::vector<Layout> all;
  for (u32 part = 0; part < parts; ++part) all.emplace_back(topology, part_of, part, parts);
  return all;
}

/// Partitions by formula and from a table, in runs of ids and in turn.
std::vector<PartOf> partitions(const Topology& topology, u32 parts) {
  std::vector<u32> in_turn, thirds;
  for (u32 r = 0; r < topology.routers(); ++r) {
    in_turn.push_back(r % parts);
    thirds.push_back(r / 3 % parts);
  }
  std::vector<PartOf> all{part_of_table(in_turn), part_of_table(thirds)};
  if (PartOf regular = topology.regular_partition(parts).part_of) all.push_back(regular);
  return all;
}

void check(const Topology& topology, const PartOf& part_of, u32 parts) {
  const auto all = layouts(topology, part_of, parts);
  std::set<u32> routers, nodes;
  u64 cut = 0;
  for (u32 part = 0; part < parts; ++part) {
    const Layout& layout = all[part];
    const engine::KernelSpec spec = layout.kernel_spec();
    ASSERT_EQ(spec.entities, layout.entities());
    cut += layout.cut_links();
    for (u32 e = 0; e < layout.local_routers(); ++e) {
      const RouterId router = layout.router(e);
      EXPECT_EQ(part_of(router.value()), part);
      EXPECT_TRUE(routers.insert(router.value()).second);
      EXPECT_EQ(layout.entity_of_global(router.value()), e);
      for (u32 p = 0; p < topology.ports(router); ++p) {
        const Peer peer = topology.peer(router, p);
        if (peer.kind == Peer::Kind::none) continue;
        const u32 to = layout.address(peer).value;
        if (peer.kind == Peer::Kind::node) {
          EXPECT_EQ(layout.node(to).value(), peer.id);
        } else if (to < layout.entities()) {
          EXPECT_EQ(layout.router(to).value(), peer.id);
        } else {
          const engine::RemoteEnd& end = spec.remote.at(to - layout.entities());
          const u32 over_there = spec.neighbours.at(end.neighbour);
          EXPECT_EQ(over_there, part_of(peer.id));
          EXPECT_EQ(end.global, peer.id);
          EXPECT_EQ(all[over_there].router(end.entity).value(), peer.id);
        }
      }
    }
    for (u32 n = 0; n < topology.nodes(); ++n) {
      const u32 entity = layout.entity_of(NodeId(n));
      EXPECT_EQ(entity != Layout::none, part_of(topology.router_of(NodeId(n)).value()) == part);
      if (entity == Layout::none) continue;
      EXPECT_TRUE(nodes.insert(n).second);
      EXPECT_EQ(layout.node(entity).value(), n);
    }
  }
  EXPECT_EQ(routers.size(), topology.routers());
  EXPECT_EQ(nodes.size(), topology.nodes());
  EXPECT_EQ(cut % 2, 0U);
}

TEST(Layout, PartsHaveEverythingOnceAndAgreeOnLinks) {
  for (const auto& topology : {make_cube("torus", {4, 6}), make_cube("mesh", {5, 3, 2}), make_tree(4, 2, 3)}) {
    for (const u32 parts : {1U, 2U, 3U, 5U}) {
      for (const PartOf& part_of : partitions(*topology, parts)) check(*topology, part_of, parts);
    }
  }
}

TEST(Layout, KnowsAllOthersWhereEveryNodeReachesEveryOther) {
  const auto topology = make_topology({"ideal", {{"nodes", i64{11}}}});
  for (const u32 parts : {1U, 2U, 3U, 10U}) {
    for (const PartOf& part_of : partitions(*topology, parts)) {
      check(*topology, part_of, parts);
      const auto all = layouts(*topology, part_of, parts);
      for (const Layout& layout : all) {
        const engine::KernelSpec spec = layout.kernel_spec();
        EXPECT_TRUE(spec.neighbours_are_all);
        EXPECT_EQ(spec.neighbours.size(), parts - 1);
        EXPECT_EQ(spec.remote.size(), 11 - layout.entities());
        for (u32 r = 0; r < 11; ++r) {
          const u32 to = layout.address({Peer::Kind::router, r, 0}).value;
          if (to < layout.entities()) {
            EXPECT_EQ(layout.router(to), RouterId(r));
          } else {
            const engine::RemoteEnd& end = spec.remote.at(to - layout.entities());
            EXPECT_EQ(end.global, r);
            EXPECT_EQ(all[spec.neighbours.at(end.neighbour)].router(end.entity), RouterId(r));
          }
        }
      }
    }
  }
}

TEST(Layout, NumbersWithoutAnEntityAreNoOnes) {
  const auto torus = make_cube("torus", {4, 4});
  const Layout layout(
      *torus, [](u32) { return 0U; }, 0, 1);
  EXPECT_EQ(layout.entity_of_global(16), Layout::none);
  const auto tree = make_tree(4, 4, 2);
  const Layout of_tree(
      *tree, [](u32) { return 0U; }, 0, 1);
  EXPECT_EQ(of_tree.entity_of_global(tree->routers() + tree->nodes() - 1), of_tree.entities() - 1);
  EXPECT_EQ(of_tree.entity_of_global(tree->routers() + tree->nodes()), Layout::none);
}

TEST(Layout, ExchangesWithLinkedPartsOnlyWhereTheyAreMany) {
  const auto ring = make_cube("torus", {36});
  const auto thirds = [](u32 router) { return router / 3; };
  const Layout layout(*ring, thirds, 5, 12);
  EXPECT_EQ(layout.kernel_spec().neighbours, (std::vector<u32>{4, 6}));
  EXPECT_FALSE(layout.kernel_spec().neighbours_are_all);
  const auto ninths = [](u32 router) { return router / 9; };
  const Layout few(*ring, ninths, 0, 4);
  EXPECT_EQ(few.kernel_spec().neighbours, (std::vector<u32>{1, 2, 3}));
  EXPECT_EQ(few.kernel_spec().linked, (std::vector<u32>{0, 2}));
}

TEST(IdRuns, KnowThePlacesOfIds) {
  IdRuns runs;
  EXPECT_EQ(runs.find(0), IdRuns::none);
  for (const u32 id : {3U, 4U, 5U, 9U, 11U, 12U}) runs.add(id);
  EXPECT_EQ(runs.size(), 6U);
  EXPECT_EQ(runs.find(3), 0U);
  EXPECT_EQ(runs.find(5), 2U);
  EXPECT_EQ(runs.find(9), 3U);
  EXPECT_EQ(runs.find(12), 5U);
  for (const u32 id : {0U, 2U, 6U, 8U, 10U, 13U}) EXPECT_EQ(runs.find(id), IdRuns::none) << id;
}

TEST(RouterGraph, WeighsLinksByTheirLatencyWhateverThatOfNodesIs) {
  const auto torus = make_topology({"torus", {{"dims", std::vector<i64>{4, 4}}}});
  EXPECT_EQ(router_graph(*torus, {1, 500}).edge_weights, router_graph(*torus, {}).edge_weights);
  const auto dragonfly = make_topology(
      {"dragonfly", {{"nodes_per_router", i64{1}}, {"routers_per_group", i64{2}}, {"global_links", i64{1}}}});
  EXPECT_EQ(router_graph(*dragonfly, {1, 500, 20}).edge_weights, router_graph(*dragonfly, {1, 1, 20}).edge_weights);
  EXPECT_NE(router_graph(*dragonfly, {1, 500, 20}).edge_weights, router_graph(*dragonfly, {1, 500, 1}).edge_weights);
}

}  // namespace
}  // namespace weft::models::testing
