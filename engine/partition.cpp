// METIS call and the two arithmetic partitions.
#include "engine/partition.hpp"

#include <algorithm>
#include <functional>
#include <metis.h>

#include "engine/error.hpp"

namespace weft::engine {
namespace {

std::vector<u32> blocks(u32 vertices, u32 parts) {
  std::vector<u32> part(vertices);
  for (u32 v = 0; v < vertices; ++v) part[v] = static_cast<u32>(static_cast<u64>(v) * parts / vertices);
  return part;
}

std::vector<idx_t> copy(const std::vector<u32>& values) { return {values.begin(), values.end()}; }

bool every_part_used(const std::vector<u32>& part, u32 parts) {
  std::vector<bool> used(parts);
  for (const u32 p : part) used[p] = true;
  return std::ranges::all_of(used, std::identity{});
}

std::vector<u32> metis(const Graph& graph, u32 parts) {
  idx_t vertices = static_cast<idx_t>(graph.offsets.size() - 1), constraints = 1, wanted = static_cast<idx_t>(parts),
        cut = 0;
  std::vector<idx_t> offsets = copy(graph.offsets), edges = copy(graph.edges), weights = copy(graph.edge_weights),
                     work = copy(graph.vertex_weights), found(static_cast<std::size_t>(vertices));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 5;  // at most 0.5 % imbalance
  // Recursive bisection gives better balance and cut for the few parts wanted here.
  const auto method = parts <= 16 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int code =
      method(&vertices, &constraints, offsets.data(), edges.data(), work.empty() ? nullptr : work.data(), nullptr,
             weights.empty() ? nullptr : weights.data(), &wanted, nullptr, nullptr, options, &cut, found.data());
  if (code != METIS_OK) throw SystemError("METIS could not partition the network; try parallel.partition = \"block\"");
  return {found.begin(), found.end()};
}

}  // namespace

PartitionMethod partition_method(std::string_view name) {
  if (name == "block") return PartitionMethod::block;
  if (name == "round-robin") return PartitionMethod::round_robin;
  return PartitionMethod::metis;
}

std::vector<u32> partition(const Graph& graph, u32 parts, PartitionMethod method) {
  const u32 vertices = static_cast<u32>(graph.offsets.size() - 1);
  if (parts == 1) return std::vector<u32>(vertices, 0);
  if (method == PartitionMethod::round_robin) {
    std::vector<u32> part(vertices);
    for (u32 v = 0; v < vertices; ++v) part[v] = v % parts;
    return part;
  }
  if (method == PartitionMethod::metis && vertices > parts) {
    std::vector<u32> part = metis(graph, parts);
    if (every_part_used(part, parts)) return part;
  }
  return blocks(vertices, parts);
}

}  // namespace weft::engine
