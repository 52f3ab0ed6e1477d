// Levels and roots, found from the cables alone.
#include "models/subnet/engine/levels.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

bool few_within_levels(u64 within, u64 cables) {
  constexpr u64 few_share = 100, always_few = 2;
  return within <= always_few ? cables > 4 * within : within * few_share <= cables;
}

namespace {

/// The commonest number of hosts of the switches that have some, of equally many the largest; at least 1.
std::size_t usual_hosts(const SwitchGraph& graph) {
  std::map<std::size_t, u32> counts;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (!graph.hosts(s).empty()) ++counts[graph.hosts(s).size()];
  }
  std::size_t usual = 1;
  u32 most = 0;
  for (const auto& [hosts, switches] : counts) {
    if (switches < most) continue;
    usual = hosts;
    most = switches;
  }
  return usual;
}

/// Counted from the switches that have so many hosts, and from those with hosts beside no such switch; empty if not
/// nearly all cables lead from a level to the next.
std::vector<u32> levels_above(const SwitchGraph& graph, std::size_t least_hosts) {
  std::vector<bool> leaf(graph.switches());
  for (u32 s = 0; s < graph.switches(); ++s) leaf[s] = graph.hosts(s).size() >= least_hosts;
  std::vector<u32> leaves;
  for (u32 s = 0; s < graph.switches(); ++s) {
    const bool beside = std::ranges::any_of(graph.hops(s), [&leaf](const SwitchHop& hop) { return leaf[hop.to]; });
    if (leaf[s] || (!graph.hosts(s).empty() && !beside)) leaves.push_back(s);
  }
  std::vector<u32> level = graph.distances(leaves);
  u64 within = 0;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (level[s] == SwitchGraph::unreachable) return {};
    for (const SwitchHop& hop : graph.hops(s)) within += hop.to > s && level[hop.to] == level[s] ? 1 : 0;
  }
  const u64 cables = graph.all_hops() / 2;
  if (!few_within_levels(within, cables) || cables == 0 || leaves.size() == graph.switches()) return {};
  return level;
}

}  // namespace

MajorityLevels majority_levels(const SwitchGraph& graph) {
  MajorityLevels found;
  found.level = tree_levels(graph);
  if (!found.level.empty() || graph.one_way()) return found;
  const std::size_t usual = usual_hosts(graph);
  std::set<std::size_t> counts;
  for (u32 s = 0; s < graph.switches(); ++s) counts.insert(std::clamp<std::size_t>(graph.hosts(s).size(), 1, usual));
  for (const std::size_t least : counts) {
    found.level = levels_above(graph, least);
    if (!found.level.empty()) break;
  }
  if (found.level.empty()) return found;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (found.level[s] > 0 && !graph.hosts(s).empty()) found.hosts_above.push_back(s);
  }
  return found;
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
  const std::vector<u32> level = majority_levels(graph).level;
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
