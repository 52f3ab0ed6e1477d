// Set-up of plain routers, and their answers for reports.
#include "models/machine/packets/plain.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/routing/routing_of.hpp"

namespace weft::models {

namespace {

bool take_shortest_paths(const RouterSettings& settings) {
  const RouterKind& kind = router_kind(settings.kind);
  return !kind.modes.empty() && mode_row(kind, settings.mode).shortest_paths;
}

}  // namespace

template <unsigned Words>
PlainPolicy<Words>::PlainPolicy(const Topology& topology, const RouterSettings& settings)
    : topology_(topology),
      settings_(settings),
      routing_(routing_of(router_kind(settings.kind), topology, settings)),
      live_(settings.live_faults),
      channels_(settings.virtual_channels),
      by_direction_(topology.opposite_ports()),
      node_links_(!topology.direct()),
      tries_held_(routing_->tries_held()),
      takes_shortest_(take_shortest_paths(settings) && !routing_->leads_round_failures()) {
  if (settings.faults) open_paths_ = std::make_unique<OpenPaths>(topology, live_, *routing_, channels_, Words);
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
}

template <unsigned Words>
std::string PlainPolicy<Words>::follow_sweeps() {
  return live_ == nullptr ? std::string() : follower_.tell(topology_, *live_, *routing_);
}

/// The queue (global entity, input) behind an output.
template <unsigned Words>
Peer PlainPolicy<Words>::far_queue(const BlockHead<Words>& head, bool nic, u32 output, const Topology& topology) const {
  const u32 port = output / channels_;
  if (nic) {
    const NodeId node(head.address);
    return {Peer::Kind::router, topology.router_of(node).value(),
            topology.port_of(node) * channels_ + output % channels_};
  }
  Peer peer = topology.peer(RouterId(head.global), port);
  if (peer.kind == Peer::Kind::node) return {Peer::Kind::node, topology.routers() + peer.id, output % channels_};
  peer.port = arrival_group(port, peer.port) * channels_ + output % channels_;
  return peer;
}

template class PlainPolicy<1>;
template class PlainPolicy<4>;

}  // namespace weft::models
