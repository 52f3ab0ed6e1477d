// Routing in trees and crossbars: up by source digit or by credits, down by destination digit; NICs are one-port
// switches.
#pragma once

#include "engine/base/meaning.hpp"
#include "models/core/packet.hpp"
#include "models/machine/packets/policy.hpp"
#include "models/machine/packets/vectors.hpp"
#include "models/routing/kind/plain_multistage.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {

/// Requests of a switch of a multistage network. Input and output index = port * virtual_channels + channel.
/// Words: 64-bit words per mask; a switch has at most 64 * Words - 1 channels.
template <unsigned Words>
class MultistagePolicy : public PolicyBase<Words> {
 public:
  using typename PolicyBase<Words>::Mask;
  static constexpr bool one_loop = Words < 32;      ///< the largest switches are few: not worth the time to compile
  static constexpr bool requests_by_route = false;  ///< groups of packets make requests: their routes are not read

  /// The range of outputs that the first packet of an input may ask for.
  struct Route {
    PortIndex<Words> first = 0;
    PortIndex<Words> count = 0;
    PortIndex<Words> wants = 0;  ///< index of the set of inputs that it is in
  };

  MultistagePolicy(const Topology& topology, const RouterSettings& settings)
      : settings_(settings),
        adaptive_(mode_of<MultistageMode>("multistage", settings.mode) == MultistageMode::adaptive),
        first_counts_twice_(means(settings.own.text("credit_ties"), "first-counts-twice", "uniform")),
        math_(tree_geometry(topology)) {
    if (math_.nodes() > u32{1} << Packet::address_bits) {
      throw ConfigError("a network of " + std::to_string(math_.nodes()) + " nodes is too large: packets can address " +
                        std::to_string(u32{1} << Packet::address_bits) + "; use fewer levels or smaller switches");
    }
  }

  [[nodiscard]] u32 virtual_channels() const { return settings_.virtual_channels; }
  [[nodiscard]] u32 encode(NodeId node) const { return node.value(); }
  /// Links of the route, both node links included.
  [[nodiscard]] u32 distance(u32 from, u32 to) const { return 2 * (math_.meeting_level(NodeId(from), NodeId(to)) + 1); }
  [[nodiscard]] u32 router_hops(u32 from, u32 to) const { return distance(from, to) - 2; }
  [[nodiscard]] static u32 decode(u32 address) { return address; }
  /// The queue that a blocked first packet needs free space in (entity, input index), for reports.
  template <class BlockType>
  [[nodiscard]] Peer wanted(const BlockType& block, u32 i, const Topology& topology) const {
    const u32 port = block.route(i).first / settings_.virtual_channels, entity = block.head().global;
    if (block.shape->nic) {
      const NodeId node(entity - topology.routers());
      return {Peer::Kind::router, topology.router_of(node).value(),
              topology.port_of(node) * settings_.virtual_channels};
    }
    Peer peer = topology.peer(RouterId(entity), port);
    if (peer.kind == Peer::Kind::node) return {Peer::Kind::node, topology.routers() + peer.id, 0};
    peer.port *= settings_.virtual_channels;
    return peer;
  }
  /// Sets of inputs kept per switch: who must leave through port p, who may leave through any up port.
  [[nodiscard]] static u32 wants_count(const Shape& shape) { return shape.ports + 1; }

  /// Fills in what this policy keeps of a kind of switch, or of the NIC.
  void describe(Shape& shape, u32 kind) const {
    shape.kind = kind;
    if (!shape.nic) shape.up_channels = math_.up_ports(kind) * settings_.virtual_channels;
  }
  /// What a switch computes with: its subtree.
  [[nodiscard]] u32 address(RouterId router) const { return math_.place(router).subtree; }

  template <class BlockType>
  Verdict route(const BlockType& block, u32 i, const Packet& packet, u32 /*now*/) const {
    const Shape& shape = *block.shape;
    const u32 address = block.head().address;  // subtree of a switch, node of a NIC
    if (shape.nic) {
      if (packet.to == address) return Verdict::arrived;
      leave_through(block, i, 0);
    } else if (math_.subtree_of(NodeId(packet.to), shape.kind) == address) {
      leave_through(block, i, math_.down_port(shape.kind, NodeId(packet.to)));
    } else if (adaptive_) {
      want(block, i, 0, shape.up_channels, shape.ports);
    } else {
      const u32 digit = shape.kind == 0 ? packet.from : packet.from / math_.nodes_below(shape.kind - 1);
      leave_through(block, i, digit % math_.up_ports(shape.kind));
    }
    return Verdict::waits;
  }

  /// Inputs, waiting or not, that may want `output` to be open.
  template <class BlockType>
  [[nodiscard]] Mask concerned(const BlockType& block, u32 output) const {
    if (output >= block.shape->channels) return {};
    Mask set = block.wants(block.shape->port_of[output]);
    if (output < block.shape->up_channels) set |= block.wants(block.shape->ports);
    return set;
  }
  template <class BlockType>
  [[nodiscard]] static Mask bubble_seekers(const BlockType& /*block*/, u32 /*i*/) {
    return {};
  }
  [[nodiscard]] static bool watches_own_queues() { return false; }
  /// Where packets have several outputs to choose from, they compare full ones too.
  [[nodiscard]] bool full_queues_are_alike(const Shape& shape, u32 port) const {
    if (settings_.virtual_channels > 1) return false;
    // One channel a port: their numbers are the same.
    const bool from_switch_below = !shape.nic && shape.kind > 0 && port >= shape.up_channels;
    return !adaptive_ || !from_switch_below;
  }
  [[nodiscard]] static bool looks_at_held_outputs() { return false; }

  /// Something changed at `output` that packets asleep may have counted on: freed, filled up, free space again, or a
  /// drain begun. True if it woke some.
  template <class BlockType>
  bool changed(const BlockType& block, u32 output) const {
    auto& head = block.head();
    if (Words > 1 && !head.asleep.any()) return false;
    Mask woken = block.wants(block.shape->port_of[output]);
    woken |= block.wants(block.shape->ports).if_so(output < block.shape->up_channels);
    const bool some = (head.asleep & woken).any();
    head.asleep = without(head.asleep, woken);
    return some;
  }
  template <class BlockType>
  bool released(const BlockType& block, u32 output) const {
    return changed(block, output);
  }
  /// No free space behind `output` any more: nobody's choice changes by it, as it goes by occupancy.
  template <class BlockType>
  static Mask filled(const BlockType& /*block*/, u32 /*output*/) {
    return {};
  }
  /// Inputs whose first packet could be granted something, from the masks alone; the others need not be looked at.
  template <class BlockType>
  [[nodiscard]] Mask who_may_move(const BlockType& block) const {
    const auto& head = block.head();
    return head.waiting & who_may_move(block, head.space & head.free);
  }

  /// Every waiting packet asks for the channel of its range with most credits, ties at random; channels held by others
  /// are looked at too, so a packet may insist on one for a while though another is open.
  template <class BlockType>
  void request(const BlockType& block, Tick tick, Requests<Words>& requests, Draw& draw) const {
    auto& head = block.head();
    const Mask open = head.space & head.free;
    const Mask awake = requests.awake(head, tick);
    if (!awake.any()) return;
    const Shape& shape = *block.shape;
    const u32 channels = settings_.virtual_channels;
    // Packets that may leave through the same outputs are one group. Groups without an open output need not be looked
    // at.
    if (Words == 1 && channels == 1) {
      for (u64 left = wanted_ports(block, awake) & open.word[0]; left != 0; left &= left - 1) {
        const u32 port = static_cast<u32>(std::countr_zero(left));
        requests.ask_all(awake & block.wants(port), port);
      }
    } else {
      for (u32 o = open.next(0); o < shape.channels;) {
        const u32 port = shape.port_of[o], end = (port + 1) * channels;
        const Mask group = awake & block.wants(port);
        if (group.any()) request_group(block, group, port, port * channels, channels, tick, open, requests, draw);
        o = open.next(end);
      }
    }
    const u32 up = shape.up_channels;
    if (up == 0 || open.next(0) >= up) return;
    const Mask group = awake & block.wants(shape.ports);
    if (group.any()) request_group(block, group, shape.ports, 0, up, tick, open, requests, draw);
  }
  /// Makes the requests of a switch in which only input `i` waits.
  template <class BlockType>
  void request_alone(const BlockType& block, u32 i, Tick tick, Requests<Words>& requests, Draw& draw) const {
    const auto& head = block.head();
    const Route& route = block.route(i);
    Mask group;
    group.set(i);
    request_group(block, group, route.wants, route.first, route.count, tick, head.space & head.free, requests, draw);
  }

 private:
  template <class BlockType>
  void leave_through(const BlockType& block, u32 i, u32 port) const {
    want(block, i, port * settings_.virtual_channels, settings_.virtual_channels, port);
  }

  /// Notes the outputs that input i may leave through, and moves it to the set of inputs `index`.
  template <class BlockType>
  static void want(const BlockType& block, u32 i, u32 first, u32 count, u32 index) {
    Route& route = block.route(i);
    block.wants(route.wants).clear(i);
    block.wants(index).set(i);
    using Index = PortIndex<Words>;
    route = {static_cast<Index>(first), static_cast<Index>(count), static_cast<Index>(index)};
  }

  /// Ports that packets of `set` must leave through; up to 63.
  template <class BlockType>
  [[nodiscard]] static u64 wanted_ports(const BlockType& block, const Mask& set) {
    const u32 ports = block.shape->ports;
    Four wanted{};
    for (u32 p = 0; p < ports; p += 4) {  // may read beyond the sets of the ports, within the block
      wanted |= where_meeting(single(p), load_four(&block.wants(p)), set.word[0]);
    }
    return joined(wanted) & ((u64{1} << ports) - 1);
  }

  template <class BlockType>
  [[nodiscard]] Mask who_may_move(const BlockType& block, const Mask& open) const {
    Mask movable;
    const Shape& shape = *block.shape;
    const u32 up = shape.up_channels;
    if (Words == 1 && settings_.virtual_channels == 1) {
      const u64 ports = open.word[0] & ((u64{1} << shape.ports) - 1);
      Four sets{};
      for (u32 p = 0; p < shape.ports; p += 4) {
        sets |= where_meeting(load_four(&block.wants(p)), single(p), ports);
      }
      movable.word[0] = joined(sets);
      if ((ports & ((u64{1} << up) - 1)) != 0) movable |= block.wants(shape.ports);
      return movable;
    }
    bool any_up = false;
    open.for_each([&](u32 o) {
      if (o >= shape.channels) return;
      movable |= block.wants(shape.port_of[o]);
      any_up |= o < up;
    });
    if (any_up) movable |= block.wants(shape.ports);
    return movable;
  }

  /// Occupancy of a range of outputs in one cycle; the same for all packets that may use it.
  struct Range {
    Mask least_set;        ///< outputs with the least occupied far queue
    u32 ties = 0;          ///< how many
    Tick recheck = never;  ///< when an open one can be among the least, though no event tells; valid if none of them is
  };

  /// The requests of the packets of `group`, which wait in the set `index` and may leave through outputs [first, first
  /// + count).
  template <class BlockType>
  void request_group(const BlockType& block, const Mask& group, u32 index, u32 first, u32 count, Tick tick,
                     const Mask& open, Requests<Words>& requests, Draw& draw) const {
    if (count == 1) {
      if (open.test(first)) requests.ask_all(group, first);
      return;
    }
    if (open.next(first) >= first + count) return;  // an event will tell when one opens
    auto& head = block.head();
    if (head.asleep.any() && (head.asleep & block.wants(index)).any()) {
      head.asleep |= group;  // others that may use the same outputs sleep: these would find the same
      return;
    }
    const Range range = survey(block, first, first + count, open, static_cast<u32>(tick), requests.ticks);
    if (!(range.least_set & open).any()) {
      block.watched() = 1;
      return requests.sleep(head, group, tick, whole_cycles(tick, range.recheck, settings_.cycle_ticks));
    }
    if (range.ties == 1) return requests.ask_all(group, range.least_set.next(0));
    bool held = false;  // the choice of one of them, by another packet
    group.for_each([&](u32 i) {
      const u32 choice = pick(range, engine::remix(draw.bits(), Mask::capacity + i));
      const bool asks = open.test(choice);
      requests.ask_if(asks, i, choice);
      held |= !asks;
    });
    if (held) requests.check_again(tick + settings_.cycle_ticks);
  }

  [[nodiscard]] u32 pick(const Range& range, u64 bits) const {
    if (!first_counts_twice_) return range.least_set.nth(engine::scale_to(bits, range.ties));
    const u32 drawn = engine::scale_to(bits, range.ties + 1);
    return range.least_set.nth(drawn == 0 ? 0 : drawn - 1);
  }

  /// Looks at outputs [first, end), one of which is open; `ticks`: scratch, [output].
  template <class BlockType>
  [[nodiscard]] Range survey(const BlockType& block, u32 first, u32 end, const Mask& open, u32 now, u32* ticks) const {
    Range range;
    const u32 packet = static_cast<u32>(settings_.packet_ticks);
    Eight least_ticks = Eight{} - 1U;
    for (u32 o = first; o < end; o += 8) {
      const Eight there = or_all_ones(eight_occupancies(block, o, now, packet).ticks, first_bits(end - o));
      store_eight(ticks + o, there);
      least_ticks = lesser(least_ticks, there);
    }
    const u32 least = least_of(least_ticks);
    for (u32 o = first; o < end; o += 8) {
      range.least_set.set_eight(o, bits_where(load_eight(ticks + o), least) & first_bits(end - o));
    }
    range.ties = range.least_set.count();
    if (!(range.least_set & open).any()) {
      range.recheck = when_open_is_least(block, range.least_set.next(0), open, first, end, now, ticks);
    }
    return range;
  }
  /// Ticks until an open output can be as empty as `held`, one of the least occupied ones, which are all held.
  template <class BlockType>
  [[nodiscard]] Tick when_open_is_least(const BlockType& block, u32 held, const Mask& open, u32 first, u32 end, u32 now,
                                        const u32* ticks) const {
    const u32 packet = static_cast<u32>(settings_.packet_ticks);
    const bool fills =
        (block.flags(held) & BlockType::sending) != 0 || block.port(block.shape->port_of[held]).current == no_channel;
    const Eight fill = Eight{} + (fills ? 1U : 0U), held_drain = Eight{} + drain_left(block, held, now, packet);
    Eight soonest = Eight{} - 1U;
    for (u32 o = first; o < end; o += 8) {
      const Eight gap = load_eight(ticks + o) - ticks[held];
      const Eight left =
          ticks_to_overtake(gap, gap - eight_occupancies(block, o, now, packet).leaving, fill, held_drain);
      soonest = lesser(soonest, or_all_ones(left, bits_from(open, o) & first_bits(end - o)));
    }
    const u32 ticks_left = least_of(soonest);
    return ticks_left == ~0U ? never : Tick{ticks_left};
  }
  /// Eight elements of a set, from `first` on.
  [[nodiscard]] static u32 bits_from(const Mask& set, u32 first) {
    const u32 word = first >> 6, shift = first & 63;
    u64 bits = set.word[word] >> shift;
    if (shift > 56 && word + 1 < Words) bits |= set.word[word + 1] << (64 - shift);
    return static_cast<u32>(bits & 0xff);
  }

  RouterSettings settings_;
  bool adaptive_;  ///< up by credits, not by the digits of the source
  /// INSEE's arithmetic, for comparisons: the first of channels with equal credits is entered twice in the list drawn
  /// from.
  bool first_counts_twice_;
  TreeMath math_;
};

}  // namespace weft::models
