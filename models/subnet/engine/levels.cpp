// Levels and roots, found from the cables alone.
#include "models/subnet/engine/levels.hpp"

#include <algorithm>

namespace weft::models {

std::vector<u32> tree_levels(const SwitchGraph& graph) {
  std::vector<u32> with_hosts;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (!graph.hosts(s).empty()) with_hosts.push_back(s);
  }
  if (graph.one_way()) return {};
  std::vector<u32> level = graph.distances(with_hosts);
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (level[s] == SwitchGraph::unreachable) return {};
    for (const SwitchHop& hop : graph.hops(s)) {
      if (level[hop.to] == level[s]) return {};
    }
  }
  return level;
}

std::vector<u32> centres_of(const SwitchGraph& graph) {
  struct Place {
    u32 farthest;
    u64 sum;
    u32 s;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<u32> part(graph.switches(), SwitchGraph::unreachable);
  std::vector<Place> best;
  for (u32 s = 0; s < graph.switches(); ++s) {
    const std::vector<u32> distance = graph.distances(std::span(&s, 1));
    Place here{0, 0, s};
    const bool fresh = part[s] == SwitchGraph::unreachable;
    if (fresh) best.push_back({SwitchGraph::unreachable, 0, s});
    for (u32 other = 0; other < graph.switches(); ++other) {
      if (distance[other] == SwitchGraph::unreachable) continue;
      if (fresh) part[other] = static_cast<u32>(best.size()) - 1;
      here.farthest = std::max(here.farthest, distance[other]);
      here.sum += distance[other];
    }
    best[part[s]] = std::min(best[part[s]], here);
  }
  std::vector<u32> centres;
  for (const Place& place : best) centres.push_back(place.s);
  return centres;
}

std::vector<u32> roots_of(const SwitchGraph& graph) {
  const std::vector<u32> level = tree_levels(graph);
  if (level.empty()) return centres_of(graph);
  const u32 top = *std::max_element(level.begin(), level.end());
  std::vector<u32> roots;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (level[s] == top) roots.push_back(s);
  }
  return roots;
}

std::vector<u64> order_below(const SwitchGraph& graph, const std::vector<u32>& roots) {
  const std::vector<u32> depth = graph.distances(roots);
  std::vector<u64> above(graph.switches());
  for (u32 s = 0; s < graph.switches(); ++s) above[s] = (u64{depth[s]} << 32) | s;
  return above;
}

}  // namespace weft::models
