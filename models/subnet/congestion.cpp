// Walks many routes side by side, so that their loads from memory overlap, and counts on compact arrays.
#include "models/subnet/congestion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/base/prefetch.hpp"
#include "models/subnet/speeds.hpp"

namespace weft::models {
namespace {

constexpr u32 nowhere = ~u32{0};
constexpr u32 a_host = 1U << 31;
constexpr u32 block_routes = 64;

}  // namespace

u32 congestion_bin(double congestion) {
  constexpr double rounding = 1e-9, last_bin = 1 << 20;
  return static_cast<u32>(std::clamp(std::ceil(congestion - rounding), 0.0, last_bin));
}

CongestionCounter::CongestionCounter(const Subnet& subnet, const ForwardingTables& tables)
    : subnet_(subnet), tables_(tables) {
  for (u32 s = 0; s < subnet.switches(); ++s) stride_ = std::max(stride_, subnet.switch_at(s).ports + 1);
  WEFT_ASSERT(u64{stride_} * subnet.switches() + subnet.hosts() < a_host);
  hosts_from_ = stride_ * subnet.switches();
  next_.assign(u64{hosts_from_} + ForwardingTables::none + 1,
               nowhere);  // a port beyond the last of the last switch leads nowhere
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer peer = subnet.next(s, port);
      if (peer.kind == Peer::Kind::router) next_[s * stride_ + port] = peer.id;
      if (peer.kind == Peer::Kind::node) next_[s * stride_ + port] = peer.id | a_host;
    }
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer at = subnet.peer_of_host(h);
    leaf_.push_back(at.kind == Peer::Kind::router ? at.id : nowhere);
  }
  const std::vector<double> rates = relative_rates(subnet);
  if (rates.empty()) return;
  weight_.assign(u64{hosts_from_} + subnet.hosts(), 1.0);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port)
      weight_[s * stride_ + port] = 1.0 / rates[subnet.channel(s, port)];
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) weight_[hosts_from_ + h] = 1.0 / rates[subnet.host_channel(h)];
}

template <class Count>
bool CongestionCounter::walk_block(std::vector<Count>& on_channel, std::span<const FlowRoute> block,
                                   std::size_t first) {
  struct Walker {
    const u8* row;
    u32 at, column, host;
  };
  std::array<Walker, block_routes> walkers;
  u32 active = 0;
  for (u32 k = 0; k < block.size(); ++k) {
    const FlowRoute route = block[k];
    const u32 leaf = leaf_[route.from_host];
    if (leaf == nowhere) return false;
    walkers[active++] = {tables_.row(route.target), leaf, static_cast<u32>(first) + k,
                         tables_.host_of(route.target) | a_host};
    engine::prefetch(tables_.row(route.target) + leaf);
    hops_[first + k] = hosts_from_ + route.from_host;
    ++on_channel[hosts_from_ + route.from_host];
  }
  u32 hop = 1;
  for (; active > 0; ++hop) {
    if (hop > subnet_.switches() + 1) return false;
    const std::size_t line = hop * routes_;
    if (hops_.size() < line + routes_) hops_.resize(line + routes_);
    std::fill_n(hops_.begin() + static_cast<std::ptrdiff_t>(line + first), block.size(), 0U);
    u32 left = 0;
    for (u32 k = 0; k < active; ++k) {
      Walker walker = walkers[k];
      const u32 port = walker.row[walker.at];
      if (port >= stride_) return false;
      const u32 channel = walker.at * stride_ + port;
      const u32 next = next_[channel];
      hops_[line + walker.column] = channel;
      ++on_channel[channel];
      if (next == walker.host) continue;
      if ((next & a_host) != 0) return false;  // nowhere, or another host
      walker.at = next;
      engine::prefetch(walker.row + next);
      walkers[left++] = walker;
    }
    active = left;
  }
  block_hops_.push_back(hop);
  return true;
}

template <class Value, class Congestion>
void CongestionCounter::largest_on_routes(const std::vector<Value>& on_channel,
                                          std::span<Congestion> congestion) const {
  for (std::size_t block = 0; block < block_hops_.size(); ++block) {
    const std::size_t first = block * block_routes, end = std::min<std::size_t>(first + block_routes, routes_);
    for (std::size_t r = first; r < end; ++r) congestion[r] = on_channel[hops_[r]];
    for (u32 hop = 1; hop < block_hops_[block]; ++hop) {
      const u32* const channel = hops_.data() + hop * routes_;
      for (std::size_t r = first; r < end; ++r)
        congestion[r] = std::max<Congestion>(congestion[r], on_channel[channel[r]]);
    }
  }
}

template <class Count>
std::optional<CongestionCounter::Broken> CongestionCounter::count_with(std::vector<Count>& on_channel,
                                                                       std::span<const FlowRoute> routes,
                                                                       std::span<double> congestion) {
  on_channel.assign(u64{hosts_from_} + subnet_.hosts(), 0);
  if (routes_ != routes.size()) hops_.clear();
  routes_ = routes.size();
  if (hops_.size() < routes_) hops_.resize(routes_);
  block_hops_.clear();
  for (std::size_t first = 0; first < routes_; first += block_routes) {
    const auto block = routes.subspan(first, std::min<std::size_t>(block_routes, routes_ - first));
    if (!walk_block(on_channel, block, first)) return first_broken(routes);
  }
  on_channel[0] = 0;  // where routes have ended already
  if (weighted()) {
    weighed_.resize(weight_.size());
    for (std::size_t c = 0; c < weight_.size(); ++c) weighed_[c] = weight_[c] * on_channel[c];
    largest_on_routes(weighed_, congestion);
    return std::nullopt;
  }
  whole_.resize(routes_);
  largest_on_routes(on_channel, std::span(whole_));
  std::ranges::copy(whole_, congestion.begin());
  return std::nullopt;
}

CongestionCounter::Broken CongestionCounter::first_broken(std::span<const FlowRoute> routes) const {
  for (u32 k = 0; k < routes.size(); ++k) {
    const RouteEnd end = for_channels(subnet_, tables_, routes[k].from_host, routes[k].target, [](u32 /*channel*/) {});
    if (end != RouteEnd::arrives) return {k, end};
  }
  throw Bug("a route that arrives counted as broken");
}

std::optional<CongestionCounter::Broken> CongestionCounter::count(std::span<const FlowRoute> routes,
                                                                  std::span<double> congestion) {
  WEFT_ASSERT(congestion.size() == routes.size());
  return routes.size() < 65'536 ? count_with(narrow_, routes, congestion) : count_with(wide_, routes, congestion);
}

}  // namespace weft::models
