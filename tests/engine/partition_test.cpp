// Partitions: every part used, sizes balanced, METIS cuts little and depends on nothing but its input.
#include "engine/partition.hpp"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace weft::engine {
namespace {

/// Torus of width x height vertices, each with four neighbours (width, height >= 3).
Graph torus(u32 width, u32 height) {
  Graph graph;
  graph.offsets.push_back(0);
  for (u32 y = 0; y < height; ++y) {
    for (u32 x = 0; x < width; ++x) {
      graph.edges.push_back(y * width + (x + 1) % width);
      graph.edges.push_back(y * width + (x + width - 1) % width);
      graph.edges.push_back((y + 1) % height * width + x);
      graph.edges.push_back((y + height - 1) % height * width + x);
      graph.offsets.push_back(static_cast<u32>(graph.edges.size()));
    }
  }
  return graph;
}

u32 cut_edges(const Graph& graph, const std::vector<u32>& part) {
  u32 cut = 0;
  for (u32 v = 0; v + 1 < graph.offsets.size(); ++v) {
    for (u32 e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) cut += part[v] != part[graph.edges[e]] ? 1 : 0;
  }
  return cut / 2;
}

std::vector<u32> sizes(const std::vector<u32>& part, u32 parts) {
  std::vector<u32> count(parts);
  for (const u32 p : part) {
    EXPECT_LT(p, parts);
    ++count[p];
  }
  return count;
}

constexpr PartitionMethod methods[] = {PartitionMethod::metis, PartitionMethod::block, PartitionMethod::round_robin};

TEST(Partition, UsesEveryPartAndBalancesThem) {
  const Graph graph = torus(8, 8);
  for (const auto method : methods) {
    for (const u32 parts : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 16U, 20U, 63U, 64U}) {
      const auto part = partition(graph, parts, method);
      ASSERT_EQ(part.size(), 64U);
      const auto [least, most] = std::ranges::minmax(sizes(part, parts));
      EXPECT_GE(least, 1U) << "parts " << parts;
      const u32 slack = method == PartitionMethod::metis ? 2 + 64 / parts / 4 : 1;
      EXPECT_LE(most - least, slack) << "parts " << parts << " method " << static_cast<int>(method);
    }
  }
}

TEST(Partition, WithMorePartsThanVerticesNoVertexSharesAPart) {
  const Graph graph = torus(3, 3);
  for (const auto method : methods) {
    const auto count = sizes(partition(graph, 20, method), 20);
    EXPECT_EQ(*std::ranges::max_element(count), 1U);
    EXPECT_EQ(std::accumulate(count.begin(), count.end(), 0U), 9U);
  }
}

TEST(Partition, BlocksAreContiguousAndInOrder) {
  const auto part = partition(torus(5, 5), 4, PartitionMethod::block);
  EXPECT_TRUE(std::ranges::is_sorted(part));
  EXPECT_EQ(part.front(), 0U);
  EXPECT_EQ(part.back(), 3U);
}

TEST(Partition, RoundRobinDealsTheVerticesOut) {
  const auto part = partition(torus(5, 5), 4, PartitionMethod::round_robin);
  for (u32 v = 0; v < part.size(); ++v) EXPECT_EQ(part[v], v % 4);
}

TEST(Partition, MetisCutsAnEightByEightTorusInTwoAtTheFewestLinks) {
  // Two straight cuts across eight rows each: 16 links is the bisection of this torus.
  const Graph graph = torus(8, 8);
  const auto part = partition(graph, 2, PartitionMethod::metis);
  EXPECT_EQ(sizes(part, 2), (std::vector<u32>{32, 32}));
  EXPECT_LE(cut_edges(graph, part), 16U);
}

TEST(Partition, MetisCutsFewerLinksThanBlocksOnAWideTorus) {
  const Graph graph = torus(32, 8);
  EXPECT_LT(cut_edges(graph, partition(graph, 8, PartitionMethod::metis)),
            cut_edges(graph, partition(graph, 8, PartitionMethod::block)));
}

TEST(Partition, MetisAvoidsHeavyEdges) {
  Graph graph = torus(8, 8);
  for (u32 v = 0; v < 64; ++v) {
    for (u32 e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      graph.edge_weights.push_back(v / 8 == graph.edges[e] / 8 ? 100 : 1);  // the links along a row are heavy
    }
  }
  const auto part = partition(graph, 2, PartitionMethod::metis);
  for (u32 v = 0; v < 64; ++v) EXPECT_EQ(part[v], part[v / 8 * 8]) << "row " << v / 8 << " is cut";
}

TEST(Partition, MetisBalancesTheWorkNotTheVertices) {
  Graph graph = torus(8, 8);
  graph.vertex_weights.assign(64, 1);
  for (u32 v = 0; v < 8; ++v) graph.vertex_weights[v] = 8;  // one row has more work than the seven others together
  const auto part = partition(graph, 2, PartitionMethod::metis);
  u32 work[2] = {};
  for (u32 v = 0; v < 64; ++v) work[part[v]] += graph.vertex_weights[v];
  EXPECT_NEAR(work[0], 60, 6);
}

/// What a function has METIS print; it takes gtest's way of capturing, since METIS writes by printf.
template <class F>
std::string printed(F&& f) {
  ::testing::internal::CaptureStdout();
  f();
  return ::testing::internal::GetCapturedStdout();
}

TEST(Partition, VerticesWithMoreThanAPartsShareOfTheWorkHaveAPartToThemselves) {
  // A broadcast in a small tree: three routers do nearly all, and METIS alone would leave parts empty and complain.
  Graph graph = torus(3, 4);
  graph.vertex_weights.assign(12, 1);
  for (const u32 v : {2U, 5U, 7U}) graph.vertex_weights[v] = 900 + v;
  std::vector<u32> part;
  EXPECT_EQ(printed([&] { part = partition(graph, 4, PartitionMethod::metis); }), "");
  const auto count = sizes(part, 4);
  for (const u32 v : {2U, 5U, 7U}) EXPECT_EQ(count[part[v]], 1U);
  EXPECT_EQ(std::ranges::count(count, 9U), 1);
}

TEST(Partition, AHubAndItsLeavesAreSharedOutThoughNothingConnectsTheLeaves) {
  Graph star;
  star.offsets = {0, 8};
  for (u32 leaf = 1; leaf <= 8; ++leaf) {
    star.edges.push_back(leaf);
    star.offsets.push_back(8 + leaf);
  }
  star.edges.resize(16, 0);
  star.vertex_weights = {1000, 4, 4, 4, 4, 2, 2, 2, 2};
  std::vector<u32> part;
  EXPECT_EQ(printed([&] { part = partition(star, 5, PartitionMethod::metis); }), "");
  std::vector<u32> work(5);
  for (u32 v = 0; v < 9; ++v) work[part[v]] += star.vertex_weights[v];
  std::ranges::sort(work);
  EXPECT_EQ(work, (std::vector<u32>{6, 6, 6, 6, 1000}));
}

TEST(Partition, WithoutLinksItIsTheWorkAloneThatIsSharedOut) {
  Graph graph;
  graph.offsets.assign(10, 0);
  EXPECT_EQ(partition(graph, 3, PartitionMethod::metis), (std::vector<u32>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  graph.vertex_weights = {3, 1, 2, 3, 1, 2, 3, 1, 2};
  std::vector<u32> part;
  EXPECT_EQ(printed([&] { part = partition(graph, 3, PartitionMethod::metis); }), "");
  std::vector<u32> work(3);
  for (u32 v = 0; v < 9; ++v) work[part[v]] += graph.vertex_weights[v];
  EXPECT_EQ(work, (std::vector<u32>{6, 6, 6}));
}

TEST(Partition, MetisHasNothingToComplainOfWhateverTheWork) {
  const Graph plain = torus(5, 7);
  for (u32 round = 0; round < 40; ++round) {
    Graph graph = plain;
    for (u32 v = 0; v < 35; ++v) graph.vertex_weights.push_back(1U << ((v * 7 + round * 5 + v * v * round) % 13));
    const u32 parts = 2 + round % 19;
    EXPECT_EQ(printed([&] { (void)partition(graph, parts, PartitionMethod::metis); }), "") << "round " << round;
  }
}

TEST(Partition, WeightsThatMetisCanAddUpStayAsTheyAre) {
  const std::vector<u32> weights{0, 1, 1000, 70000};
  EXPECT_EQ(metis_weights(weights), weights);
  EXPECT_TRUE(metis_weights({}).empty());
}

TEST(Partition, TheWeightsOfMillionsOfRoutersFitMetis) {
  // 3 million busy routers at 1001, more than 2^31 in all; one in three is idle.
  std::vector<u32> weights(3'000'000, 1001);
  for (std::size_t v = 0; v < weights.size(); v += 3) weights[v] = 1;
  const std::vector<u32> fitting = metis_weights(weights);
  EXPECT_LE(std::accumulate(fitting.begin(), fitting.end(), u64{0}), u64{std::numeric_limits<i32>::max() / 2});
  EXPECT_GE(fitting[0], 1U);
  EXPECT_NEAR(fitting[1], 500, 50) << "as much as there is room for";
  EXPECT_EQ(fitting[1], fitting[2]);
  const std::vector<u32> heavy(3, ~u32{0});
  for (const u32 weight : metis_weights(heavy)) EXPECT_LE(3 * u64{weight}, u64{std::numeric_limits<i32>::max() / 2});
}

TEST(Partition, NetworksThatMetisCannotCountAreNotForIt) {
  EXPECT_TRUE(fits_metis({2'100'000, 12'600'000}));
  EXPECT_TRUE(fits_metis({100'000'000, 600'000'000}));
  EXPECT_FALSE(fits_metis({300'000'000, 1'800'000'000}));
  EXPECT_FALSE(fits_metis({2'147'483'648, 0}));
}

TEST(Partition, TheSameGraphIsPartitionedTheSameWayAgain) {
  const Graph graph = torus(16, 16);
  for (const u32 parts : {2U, 4U, 20U}) {
    EXPECT_EQ(partition(graph, parts, PartitionMethod::metis), partition(graph, parts, PartitionMethod::metis));
  }
}

}  // namespace
}  // namespace weft::engine
