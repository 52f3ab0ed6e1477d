// Bubble routing on meshes and tori: an escape ring per direction kept free of deadlock by a bubble, adaptive channels beside.
#pragma once

#include <array>

#include "engine/prefetch.hpp"
#include "models/network/packet.hpp"
#include "models/router/requests.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Requests of a k-ary n-cube router (Puente et al., "The adaptive bubble router", JPDC 2001; modes as in INSEE).
/// Ports: 2d goes up in dimension d, 2d+1 down. The input fed by packets that travel in direction p has index
/// p * virtual_channels + channel, the same as the output they would go on through.
/// Channel 0 is the escape channel (dimension order), the others are adaptive; *oblivious* treats every channel as escape.
class BubblePolicy {
 public:
  static constexpr unsigned words = 1;
  using Mask = engine::BitSet<words>;

  /// What the first packet of an input may ask for.
  struct Route {
    u32 directions = 0;  ///< profitable directions, bit mask; 0 for a packet that has arrived
    u8 escape = 0;       ///< escape output in dimension order; consumption for a packet that has arrived
    u8 trial = 0;        ///< smart: next dimension to try, `escape_trial` = the escape channel
    u8 escape_port = 0;  ///< its port, or the number of ports
    u8 pad = 0;
    u32 trial_tick = 0;  ///< smart: cycle that `trial` belongs to
  };

  BubblePolicy(const Topology& topology, const RouterSettings& settings);

  /// Packed coordinates of a node: one bit field per dimension.
  [[nodiscard]] u32 encode(NodeId node) const;
  [[nodiscard]] u32 distance(u32 from, u32 to) const;
  /// All links of a route join routers.
  [[nodiscard]] u32 router_hops(u32 from, u32 to) const { return distance(from, to); }
  /// Direction of the inputs that get their packets through `port`.
  [[nodiscard]] static u32 fed_port(u32 port) { return port ^ 1U; }
  /// Input index at the peer for channel 0 of what leaves through `port` (the peer's port number does not matter).
  [[nodiscard]] u32 arrive_base(u32 port, u32 /*peer_port*/) const { return port * settings_.virtual_channels; }
  /// Output index at the peer that feeds the inputs which get their packets through `port`.
  [[nodiscard]] u32 credit_base(u32 port, u32 /*peer_port*/) const { return (port ^ 1U) * settings_.virtual_channels; }

  /// Node of an address.
  [[nodiscard]] u32 decode(u32 address) const;
  /// The queue that a blocked first packet needs room in: its escape channel (router, input index), for reports.
  [[nodiscard]] Peer wanted(const Route& route, u32 router, const Topology& topology, const Shape& shape) const;

  /// Sets of inputs kept per router: who may go adaptively through port p, whose escape channel is at port p, who has arrived.
  [[nodiscard]] static u32 wants_count(const Shape& shape) { return 2 * shape.ports + 1; }

  /// Fills in the route of a packet that has become first in input `i`; true if it has arrived.
  template <class BlockType>
  bool route(const BlockType& block, u32 i, const Packet& packet, u32 now) const {
    Route& route = block.route(i);
    const u32 place = block.head().place, ports = 2 * dimensions_;
    const u64 bit = u64{1} << i;
    for (u32 left = route.directions; left != 0; left &= left - 1) {
      block.wants(static_cast<u32>(std::countr_zero(left))).word[0] &= ~bit;
    }
    block.wants(ports + route.escape_port).word[0] &= ~bit;
    u32 first = no_direction, directions = 0;
    for (u32 d = 0; d < dimensions_; ++d) {
      const u32 direction = direction_in(d, packet, place);
      if (direction == no_direction) continue;
      if (first == no_direction) first = direction;
      directions |= 1U << direction;
      block.wants(direction).word[0] |= bit;
    }
    if (first == no_direction) {
      block.wants(2 * ports).word[0] |= bit;
      route.directions = 0;
      route.escape_port = static_cast<u8>(ports);
      route.escape = static_cast<u8>(consumption_);
      return true;
    }
    block.wants(ports + first).word[0] |= bit;
    route.escape = static_cast<u8>(first * settings_.virtual_channels);
    route.escape_port = static_cast<u8>(first);
    route.directions = directions;
    route.trial = 0;
    route.trial_tick = now;
    return false;
  }

  /// Injection queue that a packet prefers by its route, given how many queues there are; see RouterSettings::injection.
  [[nodiscard]] u32 direction_in_order(const Packet& packet, u32 place) const {
    for (u32 d = 0; d < dimensions_; ++d) {
      const u32 direction = direction_in(d, packet, place);
      if (direction != no_direction) return direction;
    }
    return 0;
  }
  [[nodiscard]] u32 longest_direction(const Packet& packet, u32 place) const;
  /// Calls f(direction) for every profitable direction.
  template <class F>
  void for_profitable(const Packet& packet, u32 place, F&& f) const {
    for (u32 d = 0; d < dimensions_; ++d) {
      const u32 direction = direction_in(d, packet, place);
      if (direction != no_direction) f(direction);
    }
  }

  /// Something changed at `output` that packets asleep may have counted on: freed, filled up, room again, or a drain begun.
  /// True if it woke some.
  template <class BlockType>
  bool changed(const BlockType& block, u32 output) const {
    auto& head = block.head();
    const u64 before = head.asleep.word[0];
    head.asleep.word[0] &= ~block.wants(block.shape->port_of[output]).word[0];
    return head.asleep.word[0] != before;
  }
  /// No room behind `output` any more. True if the router must be looked at in the next cycle: packets that would rather have
  /// waited for it look elsewhere, and those that find no adaptive channel with room now turn to their escape channel.
  template <class BlockType>
  bool filled(const BlockType& block, u32 output) const {
    const bool woken = changed(block, output);
    if (woken || settings_.bubble_request == BubbleRequest::oblivious ||
        settings_.bubble_request == BubbleRequest::smart) {
      return woken;
    }
    const auto& head = block.head();
    u64 concerned = head.waiting.word[0] & block.wants(block.shape->port_of[output]).word[0];
    if (settings_.local_buffer_packets > 0) return concerned != 0;
    for (u32 p = 0; p < 2 * dimensions_ && concerned != 0; ++p) {
      if ((head.room.word[0] & adaptive_[p]) != 0) concerned &= ~block.wants(p).word[0];
    }
    return concerned != 0;
  }

  /// Makes the requests of a router for this cycle.
  template <class BlockType>
  void request(const BlockType& block, Tick tick, Requests<words>& requests, Draw& draw) const {
    auto& head = block.head();
    const u64 room = head.room.word[0], free = head.free.word[0];
    const u64 awake = requests.awake(head, tick).word[0];
    if (awake == 0) return;
    const Mask todo{{awake & who_may_move(block, room, free)}};
    todo.for_each([&](u32 i) { request_one(block, i, tick, requests, draw); });
  }
  /// The same for a router in which only input `i` waits.
  template <class BlockType>
  void request_alone(const BlockType& block, u32 i, Tick tick, Requests<words>& requests, Draw& draw) const {
    if (block.route(i).directions == 0 && !block.head().free.test(consumption_)) return;
    request_one(block, i, tick, requests, draw);
  }

  /// Starts to load what the requests of a packet will look at.
  template <class BlockType>
  void prefetch_candidates(const BlockType& block, const Route& route) const {
    for (u32 left = route.directions; left != 0; left &= left - 1) {
      engine::prefetch(&block.port(static_cast<u32>(std::countr_zero(left))));
    }
  }

 private:
  static constexpr u32 no_direction = ~u32{0};
  static constexpr u8 escape_trial = 0xff;

  /// Direction to take in dimension d from `place`, or no_direction if the coordinate is right already.
  [[nodiscard]] u32 direction_in(u32 d, const Packet& packet, u32 place) const {
    const Field& f = fields_[d];
    const u32 to = (packet.to >> f.shift) & f.mask, here = (place >> f.shift) & f.mask;
    if (to == here) return no_direction;
    if (!wraps_) return 2 * d + (to < here ? 1 : 0);
    const u32 up = to > here ? to - here : to + f.size - here;  // hops if the packet goes up
    const u32 down = f.size - up;
    if (up != down) return 2 * d + (down < up ? 1 : 0);
    return 2 * d + ((packet.ties >> d) & 1U);
  }

  template <class BlockType>
  void request_one(const BlockType& block, u32 i, Tick tick, Requests<words>& requests, Draw& draw) const {
    Route& route = block.route(i);
    if (route.directions == 0) return requests.ask(i, consumption_);
    switch (settings_.bubble_request) {
      case BubbleRequest::oblivious:
        return oblivious(block, i, route, tick, requests, draw);
      case BubbleRequest::smart:
        return smart(block, i, route, tick, requests, draw);
      case BubbleRequest::random:
        return random(block, i, route, tick, requests, draw);
      case BubbleRequest::shortest:
        return shortest(block, i, route, tick, requests);
    }
  }

  /// Inputs whose first packet could be granted something, from the masks alone; the others need not be looked at.
  template <class BlockType>
  [[nodiscard]] u64 who_may_move(const BlockType& block, u64 room, u64 free) const {
    const u32 channels = settings_.virtual_channels, ports = 2 * dimensions_;
    const u64 open = room & free, port_mask = (u64{1} << channels) - 1;
    u64 adaptive_open = 0, adaptive_room = 0, escape_open = 0;
    if (settings_.bubble_request == BubbleRequest::oblivious) {
      for (u32 p = 0; p < ports; ++p) {
        if (((open >> (p * channels)) & port_mask) != 0) escape_open |= block.wants(ports + p).word[0];
      }
    } else {
      for (u32 p = 0; p < ports; ++p) {
        const u64 adaptive = block.wants(p).word[0], escape = block.wants(ports + p).word[0];
        adaptive_open |= (open & adaptive_[p]) != 0 ? adaptive : 0;
        adaptive_room |= (room & adaptive_[p]) != 0 ? adaptive : 0;
        escape_open |= ((open >> (p * channels)) & 1) != 0 ? escape : 0;
      }
    }
    u64 movable = adaptive_open;
    if (settings_.bubble_request == BubbleRequest::oblivious || settings_.bubble_request == BubbleRequest::smart ||
        settings_.local_buffer_packets > 0) {
      movable |= escape_open;
    } else {
      movable |= escape_open & ~adaptive_room;  // the escape channel is for those without room in any adaptive one
    }
    if ((free >> consumption_) & 1) movable |= block.wants(2 * ports).word[0];
    return movable;
  }

  [[nodiscard]] u64 adaptive_outputs(u32 directions) const {
    u64 outputs = 0;
    for (u32 left = directions; left != 0; left &= left - 1) outputs |= adaptive_[std::countr_zero(left)];
    return outputs;
  }
  /// New packets are subject to the local buffer restriction.
  template <class BlockType>
  [[nodiscard]] bool restricted(const BlockType& block, u32 i) const {
    return settings_.local_buffer_packets > 0 && i >= block.shape->channels;
  }

  /// Any adaptive channel with room, also one that others hold; the escape channel if there is none.
  template <class BlockType>
  void random(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests,
              Draw& draw) const {
    u64 candidates = adaptive_outputs(route.directions) & block.head().room.word[0];
    if (restricted(block, i)) candidates = with_local_room(block, candidates, tick);
    if (candidates == 0) return escape(block, i, route.escape, tick, requests);
    const u64 free = block.head().free.word[0];
    if ((candidates & free) == 0) return;  // all held by others: an event will tell when one is freed
    const Mask set{{candidates}};
    const u32 choice = set.nth(engine::scale_to(engine::remix(draw.bits(), 64 + i), set.count()));
    if ((free >> choice) & 1) return requests.ask(i, choice);
    requests.check_again(tick + settings_.cycle_ticks);
  }

  /// The adaptive channel with most room, lowest index first among equals; channels that others hold are looked at too, as
  /// the router does not know when they will be freed: a packet may wait for a held channel though another is open.
  template <class BlockType>
  void shortest(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests) const {
    auto& head = block.head();
    const u64 room = head.room.word[0], free = head.free.word[0];
    const bool limited = restricted(block, i);
    u64 best = none_seen, best_open = none_seen;
    bool open_drains = false;
    for (u32 left = route.directions; left != 0; left &= left - 1) {
      const u32 port = static_cast<u32>(std::countr_zero(left));
      PortSurvey survey = requests.ports[port];
      if (limited) {
        survey = look(block, with_local_room(block, adaptive_[port] & room, tick), free, static_cast<u32>(tick));
      } else if (!requests.ports_known.test(port)) {
        requests.ports[port] = survey = look(block, adaptive_[port] & room, free, static_cast<u32>(tick));
        requests.ports_known.set(port);
      }
      if (survey.least < best) best = survey.least;
      if (survey.least_open < best_open) best_open = survey.least_open;
      if (best_open < 256 && best == best_open) break;  // empty and open: nothing behind it can be better
      open_drains |= survey.open_drains;
    }
    if (best == none_seen) return escape(block, i, route.escape, tick, requests);
    if (best_open == none_seen) return;  // all held by others: an event will tell when one is freed
    const u32 choice = static_cast<u32>(best) & 0xff;
    if ((free >> choice) & 1) return requests.ask(i, choice);
    const Tick lead = (best_open & 0xff) < choice ? 0 : 1;  // the lower index wins a tie
    const Tick gap = ((best_open >> 8) - (best >> 8)) / settings_.cycle_ticks;
    const Tick when = tick + settings_.cycle_ticks * (cycles_to_overtake(gap, open_drains ? 0 : lead, open_drains));
    if (limited) return requests.check_again(when);
    for (u32 left = route.directions; left != 0; left &= left - 1) {
      block.port(static_cast<u32>(std::countr_zero(left))).watched = true;
    }
    requests.sleep(head, i, when);
  }

  /// Least occupied channel among `candidates` of one port, as occupancy * 256 + output; also among the free ones.
  template <class BlockType>
  [[nodiscard]] PortSurvey look(const BlockType& block, u64 candidates, u64 free, u32 now) const {
    PortSurvey survey;
    for (u64 left = candidates; left != 0; left &= left - 1) {
      const u32 o = static_cast<u32>(std::countr_zero(left));
      const OutputChannel& channel = block.output(o);
      const u64 key = static_cast<u64>(far_ticks(channel, now, static_cast<u32>(settings_.packet_ticks))) << 8 | o;
      if (key < survey.least) survey.least = key;
      if (((free >> o) & 1) == 0) continue;
      if (key < survey.least_open) survey.least_open = key;
      if (key == o) break;  // empty and open: nothing behind it can be better
      survey.open_drains |= channel.draining;
    }
    return survey;
  }

  /// Asks for an escape output if virtual cut-through and the bubble allow it.
  template <class BlockType>
  void escape(const BlockType& block, u32 i, u32 output, Tick tick, Requests<words>& requests) const {
    if (block.head().free.test(output) && may_enter(block, i, output, tick, requests)) requests.ask(i, output);
  }

  /// Room at the neighbour; to enter a ring (not to go on in it) also a bubble in this router's queue of that ring.
  template <class BlockType>
  [[nodiscard]] bool may_enter(const BlockType& block, u32 i, u32 output, Tick tick, Requests<words>& requests) const {
    if (!block.head().room.test(output)) return false;
    if (i == output) return true;
    if (!requests.bubble_known.test(output)) {
      requests.bubble_known.set(output);
      if (local_room(block, output, tick) >= settings_.bubble_packets * settings_.packet_ticks) {
        requests.bubble.set(output);
      } else {
        requests.bubble.clear(output);
      }
    }
    return requests.bubble.test(output) &&
           (settings_.local_buffer_packets == 0 || i < block.shape->channels ||
            local_room(block, output, tick) >= settings_.local_buffer_packets * settings_.packet_ticks);
  }

  /// Free space of this router's input queue with the index of `output`, in ticks of link time.
  template <class BlockType>
  [[nodiscard]] Tick local_room(const BlockType& block, u32 output, Tick tick) const {
    const InputQueue& queue = block.input(output);
    const bool departing =
        queue.output != no_port && (queue.output >= consumption_ || block.output(queue.output).sending);
    return settings_.queue_packets * settings_.packet_ticks -
           queue_ticks(queue, static_cast<u32>(tick), settings_, departing);
  }

  template <class BlockType>
  [[nodiscard]] u64 with_local_room(const BlockType& block, u64 candidates, Tick tick) const {
    u64 kept = 0;
    for (u64 left = candidates; left != 0; left &= left - 1) {
      const u32 o = static_cast<u32>(std::countr_zero(left));
      if (local_room(block, o, tick) >= settings_.local_buffer_packets * settings_.packet_ticks) kept |= left & -left;
    }
    return kept;
  }

  /// Dimension order, same channel onward in a dimension, a random channel at injection and at turns; bubble on all.
  template <class BlockType>
  void oblivious(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests,
                 Draw& draw) const {
    const u32 channels = settings_.virtual_channels;
    const u32 base = route.escape;
    if (i < block.shape->channels && i / channels == base / channels)
      return escape(block, i, base + i % channels, tick, requests);
    const u32 output = base + engine::scale_to(engine::remix(draw.bits(), 64 + i), channels);
    const auto& head = block.head();
    if (head.free.test(output) && may_enter(block, i, output, tick, requests)) return requests.ask(i, output);
    if (channels == 1) return;
    for (u32 c = 0; c < channels; ++c) {  // another draw may do better in the next cycle
      if (head.free.test(base + c) && may_enter(block, i, base + c, tick, requests)) {
        return requests.check_again(tick + settings_.cycle_ticks);
      }
    }
  }

  /// One trial per cycle: own dimension first, then the next ones, then the escape channel, then round again.
  template <class BlockType>
  void smart(const BlockType& block, u32 i, Route& route, Tick tick, Requests<words>& requests, Draw& draw) const {
    const auto& head = block.head();
    const u32 now = static_cast<u32>(tick), cycle = static_cast<u32>(settings_.cycle_ticks);
    const u64 open = adaptive_outputs(route.directions) & head.room.word[0] & head.free.word[0];
    const bool escape_open = head.free.test(route.escape) && may_enter(block, i, route.escape, tick, requests);
    if (open == 0 && !escape_open) return;
    // Cycles without an event since the last trial: nothing could be granted, only the trial moved on.
    const u32 missed = (now - route.trial_tick) / cycle;
    for (u32 c = missed < max_replayed ? missed : max_replayed; c > 0; --c) {
      trial(block, i, route, tick, engine::remix(draw.bits(), 4096 + 64 * c + i), true, requests);
    }
    const u32 choice = trial(block, i, route, tick, engine::remix(draw.bits(), 64 + i), false, requests);
    route.trial_tick = now + cycle;
    if (choice != no_direction && head.free.test(choice)) return requests.ask(i, choice);
    requests.check_again(tick + cycle);
  }

  /// One cycle of the smart mode: the output asked for, or no_direction; moves the trial on. When `replayed`, the cycle is
  /// one in which nothing was open.
  template <class BlockType>
  u32 trial(const BlockType& block, u32 i, Route& route, Tick tick, u64 bits, bool replayed,
            Requests<words>& requests) const {
    const u32 channels = settings_.virtual_channels;
    const bool injected = i >= block.shape->channels;
    const u32 own = injected ? 0 : i / channels / 2;
    while (route.trial != escape_trial) {
      const u32 d = (own + route.trial) % dimensions_;
      route.trial = static_cast<u8>(route.trial + 1U < dimensions_ ? route.trial + 1U : escape_trial);
      const u32 here = route.directions >> (2 * d) & 3U;
      if (here == 0 || channels == 1) continue;  // with one channel there is the escape channel alone
      const u32 port = 2 * d + (here >> 1);
      u32 channel = 1 + engine::scale_to(engine::remix(bits, d), channels - 1);
      if (!injected && i % channels != 0 && port == i / channels) channel = i % channels;
      const u32 output = port * channels + channel;
      if (!block.head().room.test(output)) continue;
      if (injected && local_room(block, output, tick) < settings_.local_buffer_packets * settings_.packet_ticks)
        continue;
      return output;
    }
    route.trial = 0;
    return !replayed && may_enter(block, i, route.escape, tick, requests) ? route.escape : no_direction;
  }

  static constexpr u32 max_replayed = 64;
  static constexpr u64 none_seen = ~u64{0};

  struct Field {
    u32 shift = 0, mask = 0, size = 0;
  };
  RouterSettings settings_;
  u32 dimensions_ = 0, consumption_ = 0;
  bool wraps_ = false;
  std::array<Field, 16> fields_{};
  std::array<u64, 32> adaptive_{};  ///< adaptive outputs of a direction
  std::vector<u32> dims_;
};

}  // namespace weft::models
