// Hands a random case to the judge (tests/reference/cell_switch.hpp): weft's wiring and its plain routings, nothing of
// the model of switches.
#pragma once

#include <memory>
#include <vector>

#include "tests/models/switch/random_cases.hpp"
#include "tests/reference/cell_switch.hpp"

namespace weft::models::testing {

/// The wiring of a case. Where nodes sit inside routers, the node is behind one more port.
inline reference::CellNetwork cell_network(const SwitchCase& given, const Topology& topology) {
  using reference::CellPort;
  reference::CellNetwork net{
      .switches = {},
      .channels = given.channels,
      .buffer_cells = given.buffer_cells,
      .fifo = given.fifo,
      .schedule = given.scheduling == "age" ? reference::Schedule::age : reference::Schedule::islip,
      .iterations = given.iterations,
      .store_and_forward = given.store_and_forward,
      .routing = given.routing_ticks,
      .crossing = given.switch_ticks};
  for (u32 r = 0; r < topology.routers(); ++r) {
    const RouterId router(r);
    std::vector<CellPort>& ports = net.switches.emplace_back();
    for (u32 p = 0; p < topology.ports(router); ++p) {
      const Peer peer = topology.peer(router, p);
      const bool node = peer.kind == Peer::Kind::node;
      const SwitchCase::Link link = node ? given.node_link : given.links.at(topology.link_class(router, p));
      const auto far = node                              ? CellPort::Far::node
                       : peer.kind == Peer::Kind::router ? CellPort::Far::port
                                                         : CellPort::Far::nothing;
      ports.push_back({far, peer.id, peer.port, link.latency, link.cell});
    }
    if (topology.direct()) {
      ports.push_back({CellPort::Far::node, r, 0, given.node_link.latency, given.node_link.cell});
    }
  }
  return net;
}

/// A plain routing as the judge asks it; keeps what packets carry of their routes.
class RoutesOfCase {
 public:
  explicit RoutesOfCase(const SwitchCase& given)
      : given_(given),
        topology_(make_topology(given.topology)),
        routing_(router_kind(given.routing).routing(*topology_, given.routing_settings())),
        states_(given.packets.size()) {
    for (std::size_t p = 0; p < states_.size(); ++p) {
      const SwitchPacket& packet = given.packets[p];
      routing_->begin(states_[p], NodeId(packet.from), NodeId(packet.to), packet.lot());
      if (!topology_->direct()) ++states_[p].links;
    }
  }
  [[nodiscard]] const Topology& topology() const { return *topology_; }

  [[nodiscard]] reference::Ways ways(const reference::Place& place, u32 packet) const {
    const u32 outputs = topology_->ports(RouterId(place.at)) * given_.channels;
    std::vector<u64> words((outputs + 63) / 64 + 4, 0);
    Candidates candidates{OutputSet(words.data(), static_cast<u32>(words.size()))};
    const SwitchPacket& p = given_.packets[packet];
    const PacketOnRoute on_route{NodeId(p.from), NodeId(p.to), states_[packet]};
    if (routing_->route(queue(place), on_route, candidates) != Verdict::waits) return {};
    reference::Ways ways;
    for (u32 o = 0; o < outputs; ++o) {
      if (candidates.outputs.has(o)) ways.any.push_back(way(o));
    }
    if (candidates.escape != Candidates::none) ways.escape = way(candidates.escape);
    return ways;
  }
  void leave(const reference::Place& place, u32 packet, reference::Way out) {
    ++states_[packet].links;
    if (out.port >= topology_->ports(RouterId(place.at))) return;
    routing_->leave(states_[packet], queue(place), out.port, out.channel);
  }
  [[nodiscard]] std::pair<u32, u32> source_channels(u32 packet) const {
    const Routing::Channels some = routing_->node_link_channels(states_[packet], false);
    return {some.first, std::min(some.count, given_.channels - some.first)};
  }
  [[nodiscard]] reference::CellRules rules() {
    return {.route = [this](reference::Place place, u32 packet) { return ways(place, packet); },
            .source_channels = [this](u32 packet) { return source_channels(packet); },
            .leaves = [this](reference::Place place, u32 packet, reference::Way out) { leave(place, packet, out); }};
  }

 private:
  [[nodiscard]] reference::Way way(u32 output) const { return {output / given_.channels, output % given_.channels}; }
  [[nodiscard]] QueuePlace queue(const reference::Place& place) const {
    if (place.port >= topology_->ports(RouterId(place.at))) return {place.at, QueuePlace::injection, 0};
    return {place.at, place.port, place.channel};
  }

  const SwitchCase& given_;
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<Routing> routing_;
  std::vector<RouteState> states_;
};

/// When the judge has each packet of a case delivered (`never` for those that are stuck after so many ticks).
inline reference::CellOutcome judge(const SwitchCase& given, Tick limit = 20'000, bool checked = true) {
  RoutesOfCase routes(given);
  std::vector<reference::CellPacket> packets;
  for (const SwitchPacket& p : given.packets) packets.push_back({p.birth, p.from, p.to, p.cells});
  reference::CellSwitches switches(cell_network(given, routes.topology()), packets, routes.rules());
  return switches.run(limit, checked);
}

}  // namespace weft::models::testing
