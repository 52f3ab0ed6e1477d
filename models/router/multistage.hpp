// Routing in trees and crossbars: up by source digit or by credits, down by destination digit; NICs are one-port switches.
#pragma once

#include "models/network/packet.hpp"
#include "models/router/requests.hpp"
#include "models/topology/topology.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {

/// Requests of a switch of a multistage network. Input and output index = port * virtual_channels + channel.
/// Words: 64-bit words per mask; a switch has at most 64 * Words - 1 channels.
template <unsigned Words>
class MultistagePolicy {
 public:
  static constexpr unsigned words = Words;
  using Mask = engine::BitSet<Words>;

  /// The range of outputs that the first packet of an input may ask for.
  struct Route {
    u16 first = 0;
    u16 count = 0;
  };

  MultistagePolicy(const Topology& topology, const RouterSettings& settings)
      : settings_(settings), math_(*topology.tree()) {}

  [[nodiscard]] u32 encode(NodeId node) const { return node.value(); }
  /// Links of the route, both node links included.
  [[nodiscard]] u32 distance(u32 from, u32 to) const { return 2 * (math_.meeting_level(NodeId(from), NodeId(to)) + 1); }
  [[nodiscard]] u32 router_hops(u32 from, u32 to) const { return distance(from, to) - 2; }
  [[nodiscard]] static u32 feeding_port(u32 port) { return port; }
  [[nodiscard]] u32 arrive_base(u32 /*port*/, u32 peer_port) const { return peer_port * settings_.virtual_channels; }
  [[nodiscard]] u32 credit_base(u32 /*port*/, u32 peer_port) const { return peer_port * settings_.virtual_channels; }
  [[nodiscard]] static u32 direction_in_order(const Packet&, u32) { return 0; }
  [[nodiscard]] static u32 longest_direction(const Packet&, u32) { return 0; }
  template <class F>
  static void for_profitable(const Packet&, u32, F&&) {}
  [[nodiscard]] static u32 decode(u32 address) { return address; }
  /// The queue that a blocked first packet needs room in (entity, input index), for reports.
  [[nodiscard]] Peer wanted(const Route& route, u32 entity, const Topology& topology, const Shape& shape) const {
    const u32 port = route.first / settings_.virtual_channels;
    if (shape.endpoint) {
      const NodeId node(entity - topology.routers());
      return {Peer::Kind::router, topology.router_of(node).value(), topology.port_of(node) * settings_.virtual_channels};
    }
    Peer peer = topology.peer(RouterId(entity), port);
    if (peer.kind == Peer::Kind::node) return {Peer::Kind::node, topology.routers() + peer.id, 0};
    peer.port *= settings_.virtual_channels;
    return peer;
  }
  [[nodiscard]] const TreeMath& math() const { return math_; }

  /// `place`: subtree of a switch, node of a NIC.
  bool route(Route& route, const Packet& packet, u32 place, const Shape& shape, u32 /*now*/) const {
    const u32 channels = settings_.virtual_channels;
    if (shape.endpoint) {
      if (packet.to == place) return true;
      route = {0, static_cast<u16>(channels)};
      return false;
    }
    if (math_.subtree_of(NodeId(packet.to), shape.level) == place) {
      route = {static_cast<u16>(math_.down_port(shape.level, NodeId(packet.to)) * channels), static_cast<u16>(channels)};
      return false;
    }
    const u32 up = math_.up_ports(shape.level);
    if (settings_.tree_request == TreeRequest::adaptive) {
      route = {0, static_cast<u16>(up * channels)};
    } else {
      const u32 digit = shape.level == 0 ? packet.from : packet.from / math_.nodes_below(shape.level - 1);
      route = {static_cast<u16>(digit % up * channels), static_cast<u16>(channels)};
    }
    return false;
  }

  /// Every waiting packet asks for the channel of its range with most credits, ties at random; channels held by others are
  /// looked at too, so a packet may insist on one for a while though another is open.
  template <class BlockType>
  void request(const BlockType& block, Tick tick, Requests<Words>& requests, u64 bits) const {
    auto& head = block.head();
    const Mask open = head.room & head.free;
    u32 seen_first = ~u32{0}, seen_count = 0;
    Range range;
    head.waiting.for_each([&](u32 i) {
      const Route route = block.route(i);
      if (route.count == 1) {
        if (open.test(route.first)) requests.ask(i, route.first);
        return;
      }
      if (route.first != seen_first || route.count != seen_count) {
        range = survey(block, route, open, static_cast<u32>(tick));
        seen_first = route.first;
        seen_count = route.count;
      }
      if (!range.any_open) return;  // an event will tell when one opens
      const u32 choice = range.least_set.nth(engine::scale_to(engine::remix(bits, Mask::capacity + i), range.ties));
      if (open.test(choice)) return requests.ask(i, choice);
      const Tick cycles = (range.least_open - range.least) / (2 * static_cast<u32>(settings_.cycle_ticks));
      requests.check_again(tick + settings_.cycle_ticks * (cycles > 1 ? cycles : 1));
    });
  }

 private:
  /// Occupancy of a range of outputs in one cycle; the same for all packets that may use it.
  struct Range {
    Mask least_set;       ///< outputs with the least occupied far queue
    u32 ties = 0;         ///< how many
    u32 least = ~u32{0}, least_open = ~u32{0};  ///< occupancies in ticks of link time
    bool any_open = false;
  };

  template <class BlockType>
  [[nodiscard]] Range survey(const BlockType& block, Route route, const Mask& open, u32 now) const {
    Range range;
    range.any_open = open.next(route.first) < static_cast<u32>(route.first + route.count);
    if (!range.any_open) return range;
    const u32 packet = static_cast<u32>(settings_.packet_ticks);
    for (u32 o = route.first; o < static_cast<u32>(route.first + route.count); ++o) {
      const u32 ticks = far_ticks(block.output(o), now, packet);
      if (ticks < range.least) {
        range.least = ticks;
        range.least_set = {};
        range.ties = 0;
      }
      if (ticks == range.least) {
        range.least_set.set(o);
        ++range.ties;
      }
      if (ticks < range.least_open && open.test(o)) range.least_open = ticks;
    }
    return range;
  }

  RouterSettings settings_;
  TreeMath math_;
};

}  // namespace weft::models
