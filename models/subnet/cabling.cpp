// Compares the neighbours above of switches of a level.
#include "models/subnet/cabling.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "models/subnet/engine/levels.hpp"
#include "models/subnet/switch_graph.hpp"

namespace weft::models {
namespace {

/// A switch whose neighbours above are those of others but for one: it has `extra` in place of `missing`.
struct Deviation {
  u32 at_switch = 0, extra = 0, missing = 0;
  u32 like = 0;  ///< one of the others
};

/// Whether b is a with one element exchanged; both sorted.
bool one_exchanged(const std::vector<u32>& a, const std::vector<u32>& b, u32& only_a, u32& only_b) {
  if (a.size() != b.size()) return false;
  std::vector<u32> in_a, in_b;
  std::ranges::set_difference(a, b, std::back_inserter(in_a));
  if (in_a.size() != 1) return false;
  std::ranges::set_difference(b, a, std::back_inserter(in_b));
  only_a = in_a.front();
  only_b = in_b.front();
  return true;
}

/// Switches of a level by their neighbours above, each as often as cables lead there.
using ByNeighbours = std::map<std::vector<u32>, std::vector<u32>>;

ByNeighbours by_neighbours(const SwitchGraph& graph, const std::vector<u32>& levels, u32 level) {
  ByNeighbours groups;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (levels[s] != level) continue;
    std::vector<u32> above;
    for (const SwitchHop& hop : graph.hops(s)) {
      if (levels[hop.to] == level + 1) above.push_back(hop.to);
    }
    std::ranges::sort(above);
    groups[std::move(above)].push_back(s);
  }
  return groups;
}

std::vector<Deviation> deviations(const ByNeighbours& groups) {
  constexpr std::size_t odd_share = 3;
  std::size_t all = 0, odd = 0;
  for (const auto& [above, switches] : groups) {
    all += switches.size();
    odd += switches.size() == 1 ? 1 : 0;
  }
  std::vector<Deviation> found;
  if (odd < 2 || (odd > 2 && odd * odd_share > all)) return found;
  for (const auto& [above, alone] : groups) {
    if (alone.size() != 1) continue;
    for (const auto& [usual, others] : groups) {
      Deviation deviation{alone.front(), 0, 0, others.front()};
      if (others.size() > 1 && one_exchanged(above, usual, deviation.extra, deviation.missing))
        found.push_back(deviation);
    }
  }
  return found;
}

/// The cable of a deviating switch that should lead elsewhere: of several to the same switch the one in the port that
/// leads to the missing neighbour at its like, or else the last.
u32 wrong_channel(const Subnet& subnet, const SwitchGraph& graph, const Deviation& deviation) {
  u32 channel = 0;
  bool certain = false;
  for (const SwitchHop& hop : graph.hops(deviation.at_switch)) {
    if (hop.to != deviation.extra || certain) continue;
    channel = subnet.channel(deviation.at_switch, hop.port);
    if (hop.port > subnet.switch_at(deviation.like).ports) continue;
    const Peer usual = subnet.peer(deviation.like, hop.port);
    certain = usual.kind == Peer::Kind::router && usual.id == deviation.missing;
  }
  return channel;
}

/// Pairs of `cables` that would lead from a level to the next if they exchanged ends.
void add_crossed_by_levels(const std::vector<CableBeyondLevels>& cables, std::vector<CrossedCables>& crossed) {
  std::vector<bool> paired(cables.size(), false);
  for (std::size_t a = 0; a < cables.size(); ++a) {
    for (std::size_t b = a + 1; b < cables.size() && !paired[a]; ++b) {
      const CableBeyondLevels &one = cables[a], &other = cables[b];
      const bool straight = are_next(one.from, other.from) && are_next(one.to, other.to);
      const bool across = are_next(one.from, other.to) && are_next(one.to, other.from);
      if (paired[b] || (!straight && !across)) continue;
      paired[a] = paired[b] = true;
      crossed.push_back({one.channel, other.channel, true});
    }
  }
}

}  // namespace

std::vector<CrossedCables> crossed_cables(const Subnet& subnet, const std::vector<u32>& levels) {
  std::vector<CrossedCables> crossed;
  if (levels.empty()) return crossed;
  add_crossed_by_levels(cables_beyond_levels(subnet, levels), crossed);
  const SwitchGraph graph(subnet);
  const u32 top = *std::ranges::max_element(levels);
  for (u32 level = 0; level < top; ++level) {
    const std::vector<Deviation> found = deviations(by_neighbours(graph, levels, level));
    std::map<std::pair<u32, u32>, std::vector<Deviation>> having;  // by what they have and what they miss
    for (const Deviation& each : found) having[{each.extra, each.missing}].push_back(each);
    std::vector<bool> paired(graph.switches(), false);
    for (const Deviation& one : found) {
      const auto others = having.find({one.missing, one.extra});
      if (paired[one.at_switch] || others == having.end()) continue;
      const auto other = std::ranges::find_if(
          others->second, [&](const Deviation& d) { return !paired[d.at_switch] && d.at_switch != one.at_switch; });
      if (other == others->second.end()) continue;
      paired[one.at_switch] = paired[other->at_switch] = true;
      const auto [first, second] =
          std::minmax({wrong_channel(subnet, graph, one), wrong_channel(subnet, graph, *other)});
      crossed.push_back({first, second});
    }
  }
  std::ranges::sort(crossed, {}, &CrossedCables::one);
  return crossed;
}

std::vector<MissingCables> missing_cables(const Subnet& subnet, const std::vector<u32>& levels) {
  using Where = MissingCables::Where;
  const SwitchGraph graph(subnet);
  std::vector<u32> beyond(graph.switches(), 0);                              // cables that lead to no next level
  std::map<std::pair<u32, Where>, std::vector<std::pair<u32, u32>>> groups;  // switches and their cables
  for (u32 s = 0; s < graph.switches(); ++s) {
    u32 up = 0, down = 0;
    for (const SwitchHop& hop : graph.hops(s)) {
      if (levels.empty() || levels[hop.to] == levels[s] + 1) {
        ++up;
      } else if (levels[hop.to] + 1 == levels[s]) {
        ++down;
      } else {
        ++beyond[s];
      }
    }
    if (levels.empty()) {
      groups[{0, Where::any}].emplace_back(s, up);
      continue;
    }
    groups[{levels[s], Where::up}].emplace_back(s, up);
    groups[{levels[s], Where::down}].emplace_back(s, down);
  }
  std::vector<MissingCables> found;
  for (const auto& [group, switches] : groups) {
    std::map<u32, u64> counts;
    for (const auto& [s, cables] : switches) ++counts[cables];
    const auto usual = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    if (switches.size() < 3 || usual->second * 2 <= switches.size()) continue;
    for (const auto& [s, cables] : switches) {
      if (cables + beyond[s] < usual->first)
        found.push_back({s, group.second, cables, usual->first, usual->second, switches.size()});
    }
  }
  std::ranges::stable_sort(found, {}, &MissingCables::at_switch);
  return found;
}

std::vector<CableBeyondLevels> cables_beyond_levels(const Subnet& subnet, std::vector<u32> levels) {
  const SwitchGraph graph(subnet);
  std::vector<CableBeyondLevels> beyond;
  if (graph.one_way()) return beyond;
  if (levels.empty()) {
    std::vector<u32> with_hosts;
    for (u32 s = 0; s < graph.switches(); ++s) {
      if (!graph.hosts(s).empty()) with_hosts.push_back(s);
    }
    levels = graph.distances(with_hosts);
  }
  for (u32 s = 0; s < graph.switches(); ++s) {
    for (const SwitchHop& hop : graph.hops(s)) {
      if (are_next(levels[hop.to], levels[s]) || levels[s] == SwitchGraph::unreachable) continue;
      const u32 here = subnet.channel(s, hop.port), there = subnet.channel(hop.to, subnet.peer(s, hop.port).port);
      if (here < there) beyond.push_back({here, levels[s], levels[hop.to]});
    }
  }
  if (!few_exceptions(beyond.size(), graph.all_hops() / 2)) beyond.clear();
  return beyond;
}

}  // namespace weft::models
