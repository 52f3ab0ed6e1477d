// Breadth-first searches over switches.
#include "models/subnet/distances.hpp"

#include "models/subnet/routes.hpp"

namespace weft::models {

Neighbours::Neighbours(const Subnet& subnet) {
  first_.push_back(0);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer peer = subnet.peer(s, port);
      if (peer.kind == Peer::Kind::router && peer.id != s) far_.push_back(peer.id);
    }
    first_.push_back(far_.size());
  }
}

void Neighbours::hops_from(u32 s, std::vector<u32>& hops) { hops_from(std::vector<u32>{s}, hops); }

void Neighbours::hops_from(const std::vector<u32>& starts, std::vector<u32>& hops) {
  hops.assign(switches(), unreachable);
  queue_ = starts;
  for (const u32 s : starts) hops[s] = 0;
  for (std::size_t ix = 0; ix < queue_.size(); ++ix) {
    const u32 at = queue_[ix];
    for (const u32* far = begin(at); far != end(at); ++far) {
      if (hops[*far] != unreachable) continue;
      hops[*far] = hops[at] + 1;
      queue_.push_back(*far);
    }
  }
}

Connection connection_of(const Subnet& subnet) {
  constexpr u32 none = UINT32_MAX;
  Connection found;
  found.part_of.assign(subnet.switches(), none);
  const Neighbours around(subnet);
  std::vector<u32> queue;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (found.part_of[s] != none) continue;
    queue.assign(1, s);
    found.part_of[s] = found.parts;
    for (std::size_t ix = 0; ix < queue.size(); ++ix) {
      for (const u32* far = around.begin(queue[ix]); far != around.end(queue[ix]); ++far) {
        if (found.part_of[*far] != none) continue;
        found.part_of[*far] = found.parts;
        queue.push_back(*far);
      }
    }
    ++found.parts;
  }
  found.hosts_in.assign(found.parts, 0);
  const std::vector<u32> hosts = hosts_of_switches(subnet);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    found.hosts_in[found.part_of[s]] += hosts[s];
    if (hosts[s] == 0 && around.begin(s) == around.end(s)) found.uncabled_switches.push_back(s);
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (subnet.peer_of_host(h).kind != Peer::Kind::router) found.uncabled_hosts.push_back(h);
  }
  return found;
}

std::vector<u32> tree_levels(const Subnet& subnet) {
  const std::vector<u32> hosts = hosts_of_switches(subnet);
  std::vector<u32> leaves, level;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (hosts[s] > 0) leaves.push_back(s);
  }
  Neighbours around(subnet);
  around.hops_from(leaves, level);
  bool links = false;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (level[s] == Neighbours::unreachable) return {};
    for (const u32* far = around.begin(s); far != around.end(s); ++far) {
      links = true;
      if (level[*far] != level[s] + 1 && level[s] != level[*far] + 1) return {};
    }
  }
  return links ? level : std::vector<u32>{};
}

MinimalSurvey survey_minimal(const Subnet& subnet) {
  MinimalSurvey survey;
  const std::vector<u32> hosts = hosts_of_switches(subnet);
  Neighbours around(subnet);
  std::vector<u32> hops;
  const auto add = [](std::vector<u64>& counts, u32 at, u64 some) {
    if (some == 0) return;
    if (at >= counts.size()) counts.resize(at + 1, 0);
    counts[at] += some;
  };
  for (u32 to = 0; to < subnet.switches(); ++to) {
    if (hosts[to] == 0) continue;
    around.hops_from(to, hops);
    for (u32 s = 0; s < subnet.switches(); ++s) {
      if (hops[s] == Neighbours::unreachable) {
        survey.unreachable_pairs += u64{hosts[s]} * hosts[to];
        continue;
      }
      add(survey.links, hops[s] + 2, u64{hosts[s]} * (hosts[to] - (s == to ? 1 : 0)));
      u32 ports = s == to ? 1 : 0;
      for (const u32* far = around.begin(s); far != around.end(s); ++far) ports += hops[*far] + 1 == hops[s] ? 1 : 0;
      add(survey.alternatives, ports, hosts[to]);
    }
  }
  return survey;
}

}  // namespace weft::models
