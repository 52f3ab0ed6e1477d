// Searches for paths, the loop over all targets, and the balanced choice.
#include "models/subnet/engine/paths.hpp"

#include <algorithm>

#include "engine/stop_look.hpp"

namespace weft::models {
namespace {

/// Collects for every switch of `order` the links that `allowed(s, hop)` says.
template <class Allowed>
void collect_links(const SwitchGraph& graph, Paths& paths, Allowed&& allowed) {
  paths.links.clear();
  paths.first.assign(1, 0);
  for (const u32 s : paths.order) {
    const auto hops = graph.hops(s);
    for (u32 k = 0; k < hops.size(); ++k) {
      if (allowed(s, hops[k])) paths.links.push_back(static_cast<u16>(k));
    }
    paths.first.push_back(static_cast<u32>(paths.links.size()));
  }
}

/// Entries for hosts of one switch.
void fill_hosts(const Subnet& subnet, const SwitchGraph& graph, u32 destination, std::span<const u32> hosts,
                const Paths& paths, ChooseLinks& choice, ForwardingTables& tables) {
  std::vector<u16> chosen(paths.order.size());
  for (const u32 host : hosts) {
    for (u32 t = tables.first_target(host); t < tables.first_target(host) + tables.targets_of(host); ++t) {
      choice.choose(paths, t, chosen);
      u8* const row = tables.row(t);
      row[destination] = static_cast<u8>(subnet.peer_of_host(host).port);
      for (u32 k = 0; k < paths.order.size(); ++k) row[paths.order[k]] = graph.hops(paths.order[k])[chosen[k]].port;
    }
  }
}

}  // namespace

void shortest_paths(const SwitchGraph& graph, u32 destination, Paths& paths) {
  paths.length.assign(graph.switches(), Paths::none);
  paths.order.assign(1, destination);
  paths.length[destination] = 0;
  for (std::size_t k = 0; k < paths.order.size(); ++k) {
    const u32 s = paths.order[k], next = paths.length[s] + 1;
    for (const SwitchHop& hop : graph.hops_into(s)) {
      if (paths.length[hop.to] != Paths::none) continue;
      paths.length[hop.to] = next;
      paths.order.push_back(hop.to);
    }
  }
  paths.order.erase(paths.order.begin());
  collect_links(graph, paths, [&](u32 s, const SwitchHop& hop) { return paths.length[hop.to] + 1 == paths.length[s]; });
}

void up_down_paths(const SwitchGraph& graph, std::span<const u64> above, u32 destination, Paths& paths) {
  // Switches from which it goes down all the way, by distance.
  std::vector<u32>& length = paths.length;
  length.assign(graph.switches(), Paths::none);
  length[destination] = 0;
  std::vector<u32> down{destination};
  for (std::size_t k = 0; k < down.size(); ++k) {
    for (const SwitchHop& hop : graph.hops_into(down[k])) {
      if (above[hop.to] >= above[down[k]] || length[hop.to] != Paths::none) continue;
      length[hop.to] = length[down[k]] + 1;
      down.push_back(hop.to);
    }
  }
  std::vector<bool> goes_down(graph.switches(), false);
  for (const u32 s : down) goes_down[s] = true;
  // The others go up to the nearest of any kind, length by length.
  paths.order.clear();
  std::vector<u32> now, next;
  std::size_t taken = 0;
  for (u32 links = 0; taken < down.size() || !next.empty(); ++links) {
    now.swap(next);
    next.clear();
    for (; taken < down.size() && length[down[taken]] == links; ++taken) now.push_back(down[taken]);
    for (const u32 s : now) {
      if (s != destination) paths.order.push_back(s);
      for (const SwitchHop& hop : graph.hops_into(s)) {
        if (above[hop.to] <= above[s] || length[hop.to] != Paths::none) continue;
        length[hop.to] = links + 1;
        next.push_back(hop.to);
      }
    }
  }
  collect_links(graph, paths, [&](u32 s, const SwitchHop& hop) {
    if (length[hop.to] == Paths::none || length[hop.to] + 1 != length[s]) return false;
    return goes_down[s] ? above[hop.to] > above[s] && goes_down[hop.to] : above[hop.to] < above[s];
  });
}

FabricRouting fill_tables(const Subnet& subnet, const SwitchGraph& graph, const RoutingOptions& options,
                          const FindPaths& find, ChooseLinks& choice) {
  FabricRouting routing(subnet);
  ForwardingTables& tables = routing.tables;
  Paths paths;
  std::vector<u32> hosts;
  for (const u32 s : graph.by_first_host()) {
    engine::look_for_stop();
    find(graph, s, paths);
    u8* const to_switch = routing.to_switches.data() + u64{s} * graph.switches();
    to_switch[s] = 0;
    for (u32 k = 0; k < paths.order.size(); ++k) {
      to_switch[paths.order[k]] = graph.hops(paths.order[k])[paths.of(k).front()].port;
    }
    if (!options.by_lid) fill_hosts(subnet, graph, s, graph.hosts(s), paths, choice, tables);
    hosts.insert(hosts.end(), graph.hosts(s).begin(), graph.hosts(s).end());
  }
  if (!options.by_lid) return routing;
  std::stable_sort(hosts.begin(), hosts.end(),
                   [&](u32 a, u32 b) { return subnet.host_at(a).lid < subnet.host_at(b).lid; });
  for (std::size_t k = 0; k < hosts.size(); ++k) {
    const u32 s = subnet.peer_of_host(hosts[k]).id;
    if (k == 0 || subnet.peer_of_host(hosts[k - 1]).id != s) find(graph, s, paths);
    fill_hosts(subnet, graph, s, std::span(&hosts[k], 1), paths, choice, tables);
  }
  return routing;
}

u16 LinkLoads::least(u32 s, std::span<const u16> links) const {
  const u64* const load = load_.data() + graph_.first_hop(s);
  u16 best = links.front();
  u64 least = load[best];
  for (const u16 link : links.subspan(1)) {
    const bool less = load[link] < least;
    best = less ? link : best;
    least = less ? load[link] : least;
  }
  return best;
}

void BalancedChoice::choose(const Paths& paths, u32 /*target*/, std::span<u16> chosen) {
  loads_.add_routes(paths, [&](u32 k) { return chosen[k] = loads_.least(paths.order[k], paths.of(k)); });
}

}  // namespace weft::models
