// Breadth-first searches over switches.
#include "models/subnet/distances.hpp"

#include <utility>

#include "models/subnet/switch_graph.hpp"

namespace weft::models {

Connection connection_of(const Subnet& subnet) {
  constexpr u32 none = UINT32_MAX;
  Connection found;
  found.part_of.assign(subnet.switches(), none);
  const SwitchGraph graph(subnet);
  std::vector<u32> queue;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (found.part_of[s] != none) continue;
    queue.assign(1, s);
    found.part_of[s] = found.parts;
    for (std::size_t ix = 0; ix < queue.size(); ++ix) {
      for (const auto& links : {graph.hops(queue[ix]), graph.hops_into(queue[ix])}) {
        for (const SwitchHop& hop : links) {
          if (found.part_of[hop.to] != none) continue;
          found.part_of[hop.to] = found.parts;
          queue.push_back(hop.to);
        }
        if (!graph.one_way()) break;
      }
    }
    ++found.parts;
  }
  found.hosts_in.assign(found.parts, 0);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    found.hosts_in[found.part_of[s]] += static_cast<u32>(graph.hosts(s).size());
    if (graph.hosts(s).empty() && graph.hops(s).empty() && graph.hops_into(s).empty())
      found.uncabled_switches.push_back(s);
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (subnet.peer_of_host(h).kind != Peer::Kind::router) found.uncabled_hosts.push_back(h);
  }
  return found;
}

std::vector<u32> tree_levels(const Subnet& subnet) {
  const SwitchGraph graph(subnet);
  return graph.all_hops() > 0 ? tree_levels(graph) : std::vector<u32>{};
}

MajorityLevels fabric_levels(const Subnet& subnet) {
  const SwitchGraph graph(subnet);
  return graph.all_hops() == 0 ? MajorityLevels{} : majority_levels(graph);
}

MinimalSurvey survey_minimal(const Subnet& subnet) {
  MinimalSurvey survey;
  const SwitchGraph graph(subnet);
  const auto hosts = [&graph](u32 s) { return u64{graph.hosts(s).size()}; };
  const auto add = [](std::vector<u64>& counts, u32 at, u64 some) {
    if (some == 0) return;
    if (at >= counts.size()) counts.resize(at + 1, 0);
    counts[at] += some;
  };
  u64 all_hosts = 0;
  for (u32 s = 0; s < subnet.switches(); ++s) all_hosts += hosts(s);
  std::vector<u32> hops(subnet.switches(), SwitchGraph::unreachable), reached;
  for (u32 to = 0; to < subnet.switches(); ++to) {
    if (hosts(to) == 0) continue;
    // Only what is reached is looked at, and put back: a fabric in many parts costs no more than one in a single part.
    for (const u32 s : reached) hops[s] = SwitchGraph::unreachable;
    reached.assign(1, to);
    hops[to] = 0;
    u64 hosts_reached = 0;
    for (std::size_t k = 0; k < reached.size(); ++k) {
      hosts_reached += hosts(reached[k]);
      for (const SwitchHop& hop : graph.hops_into(reached[k])) {
        if (hops[hop.to] != SwitchGraph::unreachable) continue;
        hops[hop.to] = hops[reached[k]] + 1;
        reached.push_back(hop.to);
      }
    }
    survey.unreachable_pairs += (all_hosts - hosts_reached) * hosts(to);
    for (const u32 s : reached) {
      add(survey.links, hops[s] + 2, hosts(s) * (hosts(to) - (s == to ? 1 : 0)));
      u32 ports = s == to ? 1 : 0;
      for (const SwitchHop& hop : graph.hops(s)) ports += hops[hop.to] + 1 == hops[s] ? 1 : 0;
      add(survey.alternatives, ports, hosts(to));
    }
  }
  return survey;
}

}  // namespace weft::models
