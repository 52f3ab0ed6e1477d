// Hands the network of a random case to a judge (tests/reference): weft's wiring and its plain routings, nothing of the
// models of switches.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "tests/models/network/network_case.hpp"
#include "tests/reference/cell_network.hpp"

namespace weft::models::testing {

/// The wiring of a case. Where nodes sit inside routers, the node is behind one more port.
inline reference::CellWiring cell_wiring(const NetworkCase& given, const Topology& topology) {
  reference::CellWiring wiring;
  for (u32 r = 0; r < topology.routers(); ++r) {
    const RouterId router(r);
    std::vector<reference::CellPort>& ports = wiring.emplace_back();
    for (u32 p = 0; p < topology.ports(router); ++p) {
      const Peer peer = topology.peer(router, p);
      const bool node = peer.kind == Peer::Kind::node;
      const NetworkCase::Link link = node ? given.node_link : given.links.at(topology.link_class(router, p));
      const auto far = node                              ? reference::CellPort::Far::node
                       : peer.kind == Peer::Kind::router ? reference::CellPort::Far::port
                                                         : reference::CellPort::Far::nothing;
      ports.push_back({far, peer.id, peer.port, link.latency, link.cell});
    }
    if (topology.direct()) {
      ports.push_back({reference::CellPort::Far::node, r, 0, given.node_link.latency, given.node_link.cell});
    }
  }
  return wiring;
}

/// Schedule::random has draws that no judge knows.
inline reference::Schedule schedule_of(const NetworkCase& given) {
  return given.scheduling == "age" ? reference::Schedule::age : reference::Schedule::islip;
}

inline std::vector<reference::CellPacket> cell_packets(const NetworkCase& given) {
  std::vector<reference::CellPacket> packets;
  for (const CasePacket& p : given.packets)
    packets.push_back({p.generated_at, p.from, p.to, p.cells, given.class_of(p)});
  return packets;
}

/// Occupancy of outputs, by what a judge has counted.
class JudgedOccupancy final : public Occupancy {
 public:
  explicit JudgedOccupancy(const reference::Fullness& judged) : judged_(judged) {}
  [[nodiscard]] u32 waiting(u32 port) const override { return judged_.waiting(port); }
  [[nodiscard]] u32 taken(u32 port, u32 channel) const override { return judged_.taken(port, channel); }
  [[nodiscard]] u32 load(u32 port) const override { return judged_.load(port); }
  [[nodiscard]] u32 remote_waiting(u32 port, u32 far_port) const override {
    return judged_.remote_waiting(port, far_port);
  }

 private:
  const reference::Fullness& judged_;
};

/// Nothing waits anywhere: what answers see.
class NothingWaits final : public reference::Fullness {
 public:
  [[nodiscard]] u32 waiting(u32 /*port*/) const override { return 0; }
  [[nodiscard]] u32 taken(u32 /*port*/, u32 /*channel*/) const override { return 0; }
  [[nodiscard]] u32 load(u32 /*port*/) const override { return 0; }
  [[nodiscard]] u32 remote_waiting(u32 /*port*/, u32 /*far_port*/) const override { return 0; }
};

/// What a routing leaves a packet at a router with so many ports; nothing where it does not wait for an output.
inline reference::Ways ways_from(const Routing& routing, const QueuePlace& at, const PacketOnRoute& packet, u32 ports,
                                 u32 channels) {
  const u32 outputs = ports * channels;
  std::vector<u64> words((outputs + 63) / 64 + 4, 0);
  Candidates candidates{OutputSet(words.data(), static_cast<u32>(words.size()))};
  if (routing.route(at, packet, candidates) != Verdict::waits) return {};
  const auto way = [&](u32 output) { return reference::Way{output / channels, output % channels}; };
  reference::Ways ways;
  for (u32 o = 0; o < outputs; ++o) {
    if (candidates.outputs.has(o)) ways.any.push_back(way(o));
  }
  if (candidates.escape != Candidates::none) ways.escape = way(candidates.escape);
  return ways;
}

/// The plain routings of the classes of traffic as a judge asks them; keeps what packets carry of their routes.
class RoutesOfCase {
 public:
  explicit RoutesOfCase(const NetworkCase& given)
      : given_(given), topology_(make_topology(given.topology)), states_(given.packets.size()) {
    for (u32 c = 0; c < given.classes(); ++c)
      routings_.push_back(router_kind(given.routing).routing(*topology_, given.routing_settings(c)));
    for (u32 p = 0; p < states_.size(); ++p) {
      const CasePacket& packet = given.packets[p];
      routing_of(p).begin(states_[p], NodeId(packet.from), NodeId(packet.to), given.random_bits(packet));
      if (!topology_->direct()) ++states_[p].links;
    }
  }
  [[nodiscard]] const Topology& topology() const { return *topology_; }

  [[nodiscard]] reference::Ways ways(const reference::Place& place, u32 packet) const {
    const CasePacket& p = given_.packets[packet];
    const u32 ports = topology_->ports(RouterId(place.at));
    return ways_from(routing_of(packet), queue(place), {NodeId(p.from), NodeId(p.to), states_[packet]}, ports,
                     given_.channels);
  }
  void decide(const reference::Place& place, u32 packet, const reference::Fullness& fullness) {
    if (!routing_of(packet).decides()) return;
    const CasePacket& p = given_.packets[packet];
    routing_of(packet).decide(states_[packet], queue(place), NodeId(p.from), NodeId(p.to), JudgedOccupancy(fullness));
  }
  void leave(const reference::Place& place, u32 packet, reference::Way out) {
    ++states_[packet].links;
    if (out.port >= topology_->ports(RouterId(place.at))) return;
    routing_of(packet).leave(states_[packet], queue(place), out.port, out.channel);
  }
  [[nodiscard]] std::pair<u32, u32> node_channels(u32 packet, bool to_node) const {
    const Routing::Channels some = routing_of(packet).node_link_channels(states_[packet], to_node);
    return {some.first, std::min(some.count, given_.channels - some.first)};
  }
  /// Ports that an answer leaves switches by: always the first output that the routing of class 0 gives, with draws
  /// that are those of the two nodes.
  [[nodiscard]] std::vector<u32> way_back(u32 packet, u64 seed) const {
    const NodeId from(given_.packets[packet].to), to(given_.packets[packet].from);
    const Routing& routing = *routings_.front();
    RouteState state;
    routing.begin(state, from, to, engine::remix(seed, u64{from.value()} << 32 | to.value()));
    const bool direct = topology_->direct();
    reference::Place at{topology_->router_of(from).value(), 0, routing.node_link_channels(state, false).first};
    at.port = direct ? topology_->ports(RouterId(at.at)) : topology_->port_of(from);
    std::vector<u32> ports;
    while (topology_->router_of(to).value() != at.at) {
      const u32 outputs = topology_->ports(RouterId(at.at)) * given_.channels;
      std::vector<u64> words((outputs + 63) / 64 + 4, 0);
      Candidates candidates{OutputSet(words.data(), static_cast<u32>(words.size()))};
      const NothingWaits nothing;
      if (routing.decides()) routing.decide(state, queue(at), from, to, JudgedOccupancy(nothing));
      EXPECT_EQ(routing.route(queue(at), {from, to, state}, candidates), Verdict::waits);
      u32 first = 0;
      while (first < outputs && !candidates.outputs.has(first)) ++first;
      const reference::Way out = way(first < outputs ? first : candidates.escape);
      routing.leave(state, queue(at), out.port, out.channel);
      ports.push_back(out.port);
      const Peer peer = topology_->peer(RouterId(at.at), out.port);
      at = {peer.id, peer.port, out.channel};
    }
    ports.push_back(direct ? topology_->ports(RouterId(at.at)) : topology_->port_of(to));
    return ports;
  }
  /// What a packet has of its route.
  [[nodiscard]] const RouteState& state(u32 packet) const { return states_[packet]; }
  [[nodiscard]] reference::CellRules rules() {
    reference::CellRules rules{
        .route = [this](reference::Place place, u32 packet) { return ways(place, packet); },
        .source_channels = [this](u32 packet) { return node_channels(packet, false); },
        .sink_channels = [this](u32 packet) { return node_channels(packet, true); },
        .leaves = [this](reference::Place place, u32 packet, reference::Way out) { leave(place, packet, out); }};
    if (std::ranges::any_of(routings_, [](const auto& routing) { return routing->decides(); })) {
      rules.decide = [this](reference::Place place, u32 packet, const reference::Fullness& fullness) {
        decide(place, packet, fullness);
      };
    }
    return rules;
  }

 private:
  [[nodiscard]] const Routing& routing_of(u32 packet) const {
    return *routings_[given_.class_of(given_.packets[packet])];
  }
  [[nodiscard]] reference::Way way(u32 output) const { return {output / given_.channels, output % given_.channels}; }
  [[nodiscard]] QueuePlace queue(const reference::Place& place) const {
    if (place.port >= topology_->ports(RouterId(place.at))) return {place.at, QueuePlace::injection, 0};
    return {place.at, place.port, place.channel};
  }

  const NetworkCase& given_;
  std::unique_ptr<Topology> topology_;
  std::vector<std::unique_ptr<Routing>> routings_;  ///< [class]
  std::vector<RouteState> states_;
};

}  // namespace weft::models::testing
