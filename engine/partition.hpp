// Splits a graph over ranks: METIS, or contiguous blocks, or round-robin.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::engine {

/// An undirected graph in compressed rows: the neighbours of v are edges[offsets[v] .. offsets[v + 1]).
struct Graph {
  std::vector<u32> offsets;         ///< [vertex + 1]
  std::vector<u32> edges;           ///< every undirected edge twice
  std::vector<u32> edge_weights;    ///< expected traffic, [edge]; empty = all 1
  std::vector<u32> vertex_weights;  ///< expected work, [vertex]; empty = all 1
};

/// The graph whose vertices are groups of vertices of another, [vertex]: the number of its group, from 0. Weights of
/// vertices add up, as do those of edges between the same two groups.
[[nodiscard]] Graph contracted(const Graph& graph, std::span<const u32> groups);

enum class PartitionMethod { metis, block, round_robin };

/// The method of a name as configs have it: metis, block, round-robin; metis for any other.
[[nodiscard]] PartitionMethod partition_method(std::string_view name);

/// Part of every vertex, each part non-empty if there are at least as many vertices as parts.
/// Deterministic; METIS minimises the weight of cut edges at no more than about 0.5 % imbalance (Karypis and Kumar,
/// SISC 1998); a vertex with more work than a part's share has its part to itself. Throws ConfigError for METIS if it
/// cannot count so much.
[[nodiscard]] std::vector<u32> partition(const Graph& graph, u32 parts, PartitionMethod method);

/// What a graph amounts to: the numbers that METIS adds up.
struct GraphSize {
  u64 vertices = 0, edges = 0;  ///< every undirected edge twice
};
/// Whether METIS, which counts in signed integers of 32 bits as most systems install it, can hold the graph at all.
[[nodiscard]] bool fits_metis(GraphSize size);

/// The weights, or if their sum is more than METIS can add up, smaller ones in the same proportions as far as whole
/// numbers can be. No weight becomes 0.
[[nodiscard]] std::vector<u32> metis_weights(std::span<const u32> weights);

}  // namespace weft::engine
