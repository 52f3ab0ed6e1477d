// Splits a graph over ranks: METIS, or contiguous blocks, or round-robin.
#pragma once

#include <string_view>
#include <vector>

#include "engine/types.hpp"

namespace weft::engine {

/// An undirected graph in compressed rows: the neighbours of v are edges[offsets[v] .. offsets[v + 1]).
struct Graph {
  std::vector<u32> offsets;         ///< [vertex + 1]
  std::vector<u32> edges;           ///< every undirected edge twice
  std::vector<u32> edge_weights;    ///< expected traffic, [edge]; empty = all 1
  std::vector<u32> vertex_weights;  ///< expected work, [vertex]; empty = all 1
};

enum class PartitionMethod { metis, block, round_robin };

/// The method of a name as configs have it: metis, block, round-robin; metis for any other.
[[nodiscard]] PartitionMethod partition_method(std::string_view name);

/// Part of every vertex, each part non-empty if there are at least as many vertices as parts.
/// Deterministic; METIS minimises the weight of cut edges at no more than about 0.5 % imbalance (Karypis and Kumar, SISC 1998).
[[nodiscard]] std::vector<u32> partition(const Graph& graph, u32 parts, PartitionMethod method);

}  // namespace weft::engine
