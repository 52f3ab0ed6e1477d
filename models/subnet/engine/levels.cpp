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

bool few_exceptions(u64 exceptions, u64 cables) {
  constexpr u64 few_share = 100, always_few = 2;
  return exceptions <= always_few ? cables > 4 * exceptions : exceptions * few_share <= cables;
}

std::vector<u64> MajorityLevels::switches() const {
  std::vector<u64> switches;
  for (const u32 of_one : level) {
    if (of_one >= switches.size()) switches.resize(of_one + 1, 0);
    ++switches[of_one];
  }
  return switches;
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

/// The level with which most cables of a switch lead from a level to the next, above one of its neighbours; of equally
/// good ones that which it has, else the lowest.
u32 best_level(const SwitchGraph& graph, u32 s, const std::vector<u32>& level) {
  std::map<u32, u32> neighbours;  // by level
  for (const SwitchHop& hop : graph.hops(s)) ++neighbours[level[hop.to]];
  const auto fitting = [&neighbours](u32 of_switch) {
    u32 cables = 0;
    for (const auto& [of_neighbour, count] : neighbours) cables += are_next(of_switch, of_neighbour) ? count : 0;
    return cables;
  };
  u32 best = level[s], most = fitting(best);
  for (const auto& [below, count] : neighbours) {
    if (const u32 cables = fitting(below + 1); cables > most) best = below + 1, most = cables;
  }
  return best;
}

/// Moves switches other than `leaves` to the levels that fit most of their cables. Each move leaves fewer exceptions.
void relax(const SwitchGraph& graph, const std::vector<u32>& leaves, std::vector<u32>& level) {
  std::vector<bool> fixed(graph.switches(), false);
  for (const u32 s : leaves) fixed[s] = true;
  for (bool moved = true; moved;) {
    moved = false;
    for (u32 s = 0; s < graph.switches(); ++s) {
      const u32 best = fixed[s] ? level[s] : best_level(graph, s, level);
      moved = moved || best != level[s];
      level[s] = best;
    }
  }
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
  if (leaves.size() == graph.switches()) return {};
  std::vector<u32> level = graph.distances(leaves);
  if (std::ranges::find(level, SwitchGraph::unreachable) != level.end()) return {};
  relax(graph, leaves, level);
  u64 exceptions = 0;
  for (u32 s = 0; s < graph.switches(); ++s) {
    for (const SwitchHop& hop : graph.hops(s)) exceptions += hop.to > s && !are_next(level[hop.to], level[s]) ? 1 : 0;
  }
  const u64 cables = graph.all_hops() / 2;
  if (!few_exceptions(exceptions, cables) || cables == 0) return {};
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
