// Records of peers, and what the schemes are asked when.
#include "models/nic/nics.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace weft::models::endpoint {

Nics::Nics(const NicSettings& settings, const NumberedPaths& routing, u32 count, RouteCounts& counts)
    : settings_(settings), routing_(routing), nics_(count), counts_(counts) {
  const DispersionKind* const kind = DispersionRegistry::instance().find(settings.scheme);
  WEFT_ASSERT(kind != nullptr);
  scheme_ = kind->make(settings.dispersion);
}

Peer& Nics::peer(u32 nic, NodeId node) {
  Nic& n = nics_[nic];
  if (n.last < n.peers.size() && n.peers[n.last].node == node.value()) return n.peers[n.last];
  const auto at = std::ranges::lower_bound(n.peers, node.value(), {}, &Peer::node);
  n.last = static_cast<u32>(at - n.peers.begin());
  if (at == n.peers.end() || at->node != node.value()) {
    Peer fresh;
    fresh.node = node.value();
    fresh.threshold = settings_.dispersion.threshold;
    n.peers.insert(at, fresh);
  }
  return n.peers[n.last];
}

void Nics::learn(Peer& p, u32 nic, NodeId from, NodeId to) {
  const u32 all = std::max(1U, routing_.routes(from, to));
  p.routes = settings_.subset == 0 ? all : std::min(all, settings_.subset);
  if (p.routes < all) p.first = RandomDraws(settings_.seed, from.value(), nics_[nic].draws).below(all);
}

void Nics::choose(Peer& p, u32 nic, NodeId from, NodeId to) {
  if (p.routes == 0) learn(p, nic, from, to);
  RandomDraws draws(settings_.seed, from.value(), nics_[nic].draws);
  p.route = p.routes == 1 ? 0 : scheme_->next(p, draws);
}

Tick Nics::fetch(u32 nic, NodeId from, NodeId to, Tick now) {
  Peer& p = peer(nic, to);
  if (p.chosen != 0) return p.there_at;
  choose(p, nic, from, to);
  p.chosen = 1;
  std::vector<u64>& memory = nics_[nic].memory;
  const u64 key = u64{to.value()} << 32 | p.route;
  const auto at = std::ranges::find(memory.rbegin(), memory.rend(), key);
  const bool missing = at == memory.rend();
  if (!missing) {
    memory.erase(std::next(at).base());
  } else if (memory.size() >= settings_.memory) {
    memory.erase(memory.begin());
  }
  memory.push_back(key);
  p.there_at = missing ? now + settings_.fetch_ticks : now;
  if (missing) ++counts_.fetched;
  return p.there_at;
}

void Nics::begin(u32 nic, NodeId from, NodeId to, RouteState& state, NicHeader& header) {
  Peer& p = peer(nic, to);
  if (p.chosen == 0) choose(p, nic, from, to);
  p.chosen = 0;
  state = {};
  routing_.take(state, from, to, number_of(from, to, p.first, p.route));
  header.number = p.sent++;
}

bool Nics::left(u32 nic, NodeId from, NodeId to, bool stopped, Probe& probe) {
  if (stopped) ++counts_.stopped;
  Peer& p = peer(nic, to);
  if (p.routes == 1) return false;
  const u32 before = p.route;
  RandomDraws draws(settings_.seed, from.value(), nics_[nic].draws);
  scheme_->left(p, stopped, draws);
  if (p.route != before) ++counts_.rerouted;
  return make_probe(nic, p, probe);
}

bool Nics::make_probe(u32 nic, const Peer& p, Probe& probe) {
  if (p.candidate == Peer::none) return false;
  probe = {p.node, p.candidate, p.first};
  ++nics_[nic].probing;
  ++counts_.probes;
  return true;
}

void Nics::arrived(u32 nic, NodeId from, NicHeader data) {
  Peer& p = peer(nic, from);
  if (data.number < p.expected) {
    ++counts_.out_of_order;
  } else {
    p.expected = data.number + 1;
  }
}

bool Nics::answered(u32 nic, NodeId here, NodeId from, NicHeader answer, Probe& probe) {
  Peer& p = peer(nic, from);
  WEFT_DEBUG_ASSERT(p.candidate != Peer::none);
  --nics_[nic].probing;
  const u32 before = p.route;
  const bool found = answer.probe_ticks <= settings_.probe_ticks;
  if (found) {
    scheme_->free(p);
  } else {
    RandomDraws draws(settings_.seed, here.value(), nics_[nic].draws);
    scheme_->taken(p, draws);
  }
  if (p.route != before) {
    ++counts_.rerouted;
    if (!found) ++counts_.forced;
  }
  return make_probe(nic, p, probe);
}

RouteState Nics::state_of(NodeId from, const Probe& probe) const {
  RouteState state;
  routing_.take(state, from, NodeId(probe.to), number_of(from, NodeId(probe.to), probe.first, probe.route));
  return state;
}

RouteState Nics::answer_to(NodeId prober, NodeId here, const RouteState& probe) const {
  RouteState state;
  const u32 route = routing_.route_taken(probe, prober, here);
  routing_.take(state, here, prober, route % std::max(1U, routing_.routes(here, prober)));
  return state;
}

std::size_t Nics::bytes() const {
  std::size_t bytes = nics_.capacity() * sizeof(Nic);
  for (const Nic& n : nics_) bytes += n.peers.capacity() * sizeof(Peer) + n.memory.capacity() * sizeof(u64);
  return bytes;
}

}  // namespace weft::models::endpoint
