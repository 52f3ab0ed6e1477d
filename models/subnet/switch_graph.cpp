// Builds the flat arrays of a fabric's switches.
#include "models/subnet/switch_graph.hpp"

#include <algorithm>
#include <numeric>

namespace weft::models {

SwitchGraph::SwitchGraph(const Subnet& subnet) {
  first_.push_back(0);
  first_host_.assign(u64{subnet.switches()} + 1, 0);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer peer = subnet.next(s, port);
      if (peer.kind == Peer::Kind::router && peer.id != s) hops_.push_back({peer.id, static_cast<u8>(port)});
    }
    first_.push_back(static_cast<u32>(hops_.size()));
  }
  if (subnet.one_way()) find_hops_into(subnet);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer at = subnet.peer_of_host(h);
    if (at.kind == Peer::Kind::router) ++first_host_[at.id + 1];
  }
  std::partial_sum(first_host_.begin(), first_host_.end(), first_host_.begin());
  hosts_.resize(first_host_.back());
  std::vector<u32> next(first_host_.begin(), first_host_.end() - 1);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer at = subnet.peer_of_host(h);
    if (at.kind == Peer::Kind::router) hosts_[next[at.id]++] = h;
  }
}

void SwitchGraph::find_hops_into(const Subnet& subnet) {
  first_into_.push_back(0);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer peer = subnet.peer(s, port);
      if (peer.kind != Peer::Kind::router || peer.id == s || !subnet.carries(peer.id, peer.port)) continue;
      hops_into_.push_back({peer.id, static_cast<u8>(port)});
    }
    first_into_.push_back(static_cast<u32>(hops_into_.size()));
  }
}

std::vector<u32> SwitchGraph::by_first_host() const {
  std::vector<u32> order(switches());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [this](u32 s) { return hosts(s).empty() ? ~u32{0} : hosts(s).front(); };
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return key(a) < key(b); });
  return order;
}

void SwitchGraph::spread_parallel_links() {
  std::vector<u32> seen(switches(), 0);
  std::vector<std::pair<u32, SwitchHop>> numbered;
  for (u32 s = 0; s < switches(); ++s) {
    numbered.clear();
    for (const SwitchHop& hop : hops(s)) numbered.emplace_back(seen[hop.to]++, hop);
    for (const SwitchHop& hop : hops(s)) seen[hop.to] = 0;
    std::stable_sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (u32 k = 0; k < numbered.size(); ++k) hops_[first_[s] + k] = numbered[k].second;
  }
}

namespace {

/// Links from the nearest of `starts` to each switch, by the links that `links_of(switch)` says.
template <class LinksOf>
std::vector<u32> breadth_first(u32 switches, std::span<const u32> starts, LinksOf&& links_of) {
  std::vector<u32> distance(switches, SwitchGraph::unreachable), queue(starts.begin(), starts.end());
  for (const u32 s : starts) distance[s] = 0;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const SwitchHop& hop : links_of(queue[k])) {
      if (distance[hop.to] != SwitchGraph::unreachable) continue;
      distance[hop.to] = distance[queue[k]] + 1;
      queue.push_back(hop.to);
    }
  }
  return distance;
}

}  // namespace

std::vector<u32> SwitchGraph::distances(std::span<const u32> from) const {
  return breadth_first(switches(), from, [this](u32 s) { return hops(s); });
}

std::vector<u32> SwitchGraph::distances_to(std::span<const u32> to) const {
  return breadth_first(switches(), to, [this](u32 s) { return hops_into(s); });
}

}  // namespace weft::models
