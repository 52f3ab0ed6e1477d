// Groups of vertices as vertices: work adds up, and so does what is cut.
#include <gtest/gtest.h>
#include <numeric>

#include "engine/partition.hpp"
#include "engine/random.hpp"

namespace weft::engine {
namespace {

/// A ring with chords, all with weights.
Graph ring_with_chords(u32 vertices) {
  Graph graph;
  graph.offsets.push_back(0);
  const auto weight = [](u32 a, u32 b) { return 1 + (a + b) % 5; };
  for (u32 v = 0; v < vertices; ++v) {
    for (const u32 step : {1U, 3U, vertices - 3, vertices - 1}) {
      const u32 far = (v + step) % vertices;
      graph.edges.push_back(far);
      graph.edge_weights.push_back(weight(v, far));
    }
    graph.offsets.push_back(static_cast<u32>(graph.edges.size()));
    graph.vertex_weights.push_back(1 + v % 7);
  }
  return graph;
}

u64 cut_weight(const Graph& graph, const std::vector<u32>& part) {
  u64 sum = 0;
  for (u32 v = 0; v + 1 < graph.offsets.size(); ++v) {
    for (u32 e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      sum += part[v] != part[graph.edges[e]] ? graph.edge_weights[e] : 0;
  }
  return sum;
}

TEST(ContractedGraph, HasTheWorkAndTheCutsOfTheWhole) {
  constexpr u32 vertices = 24;
  const Graph graph = ring_with_chords(vertices);
  std::vector<u32> groups(vertices);
  for (u32 v = 0; v < vertices; ++v) groups[v] = v % 9;
  const Graph small = contracted(graph, groups);
  ASSERT_EQ(small.offsets.size(), 10U);
  EXPECT_EQ(std::accumulate(small.vertex_weights.begin(), small.vertex_weights.end(), 0U),
            std::accumulate(graph.vertex_weights.begin(), graph.vertex_weights.end(), 0U));
  for (u32 seed = 0; seed < 20; ++seed) {
    std::vector<u32> of_group(9), of_vertex(vertices);
    for (u32 g = 0; g < 9; ++g) of_group[g] = static_cast<u32>(remix(seed, g) % 3);
    for (u32 v = 0; v < vertices; ++v) of_vertex[v] = of_group[groups[v]];
    EXPECT_EQ(cut_weight(small, of_group), cut_weight(graph, of_vertex)) << seed;
  }
  // No edge to itself, and every edge from both ends.
  for (u32 g = 0; g < 9; ++g) {
    for (u32 e = small.offsets[g]; e < small.offsets[g + 1]; ++e) EXPECT_NE(small.edges[e], g);
  }
}

TEST(ContractedGraph, CountsWhereNothingHasAWeight) {
  Graph graph = ring_with_chords(8);
  graph.vertex_weights.clear();
  graph.edge_weights.clear();
  const Graph small = contracted(graph, std::vector<u32>{0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_EQ(small.vertex_weights, (std::vector<u32>{4, 4}));
  EXPECT_EQ(small.edges, (std::vector<u32>{1, 0}));
  EXPECT_EQ(small.edge_weights[0], small.edge_weights[1]);
  EXPECT_EQ(small.edge_weights[0], 2U * (1 + 3));  // two places to cut, each with an edge of 1 and three chords
}

}  // namespace
}  // namespace weft::engine
