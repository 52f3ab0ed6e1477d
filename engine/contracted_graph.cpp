// Groups of vertices as the vertices of a smaller graph.
#include <algorithm>
#include <map>

#include "engine/partition.hpp"

namespace weft::engine {

Graph contracted(const Graph& graph, std::span<const u32> groups) {
  const u32 vertices = static_cast<u32>(groups.size());
  const u32 count = vertices == 0 ? 0 : 1 + *std::ranges::max_element(groups);
  std::vector<std::vector<u32>> members(count);
  for (u32 v = 0; v < vertices; ++v) members[groups[v]].push_back(v);
  Graph small;
  small.offsets.push_back(0);
  for (u32 group = 0; group < count; ++group) {
    u32 work = 0;
    std::map<u32, u32> weight_to;  // by the far group
    for (const u32 v : members[group]) {
      work += graph.vertex_weights.empty() ? 1 : graph.vertex_weights[v];
      for (u32 e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        const u32 far = groups[graph.edges[e]];
        if (far != group) weight_to[far] += graph.edge_weights.empty() ? 1 : graph.edge_weights[e];
      }
    }
    small.vertex_weights.push_back(work);
    for (const auto& [far, weight] : weight_to) {
      small.edges.push_back(far);
      small.edge_weights.push_back(weight);
    }
    small.offsets.push_back(static_cast<u32>(small.edges.size()));
  }
  return small;
}

}  // namespace weft::engine
