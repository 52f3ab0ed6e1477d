// The second phase of a SwitchNetwork's tick: packets that have come are routed, inputs and outputs are matched, and
// what is matched goes on its way.
#pragma once

#include <algorithm>

#include "models/switch/switch_network.hpp"

namespace weft::models::cells {

template <class Host>
inline void SwitchNetwork<Host>::act(Tick tick, u32 entity) {
  Entity& s = entities_[entity];
  if (s.has_node != 0) {
    if (s.room_at <= tick) {
      s.room_at = never;
      host_.space(*this, tick, entity);
    }
    if constexpr (Host::acts) host_.act(*this, tick, entity);
    if (s.waiting != 0) send_from_node(entity, tick);
  }
  if (s.switch_ports != 0) {
    prefetch_packets(s, tick);
    if (s.retry != 0) std::fill_n(&idle_until_[s.first_port], s.switch_ports, Tick{0});
    route_due(entity, tick);
    match(entity, tick);
    if (notices_.used()) [[unlikely]]
      tell_neighbours(entity, tick);
  }
  order_wake(entity, tick);
}

template <class Host>
inline void SwitchNetwork<Host>::prefetch_packets(const Entity& s, Tick tick) {
  engine::for_bits(newcomers(s), channel_words(s),
                   [&](u32 channel) { pool_.prefetch(unrouted(s, channel / channels_, channel % channels_).last); });
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    if (idle_until_[s.first_port + input] <= tick) pool_.prefetch(ports_.queues(s.first_port + input));
  });
}

template <class Host>
inline void SwitchNetwork<Host>::tell_neighbours(u32 entity, Tick tick) {
  const Entity& s = entities_[entity];
  notices_.tell(
      entity, [&](u32 port) { return port_at(s, port).waiting_cells; },
      [&](u32 over, u32 port, u32 cells) {
        const Wire& wire = wire_at(s, over);
        kernel_->send(wire.peer, tick + wire.ticks,
                      Notice{0, static_cast<u16>(wire.peer_port), static_cast<u16>(port), cells}, entity);
      });
}

template <class Host>
inline void SwitchNetwork<Host>::arrive(Tick tick, const Arrival& e) {
  const Entity& s = entities_[e.entity];
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored.packet = e.packet;
  stored.due = tick + switch_.routing_ticks;
  stored.set_aside = 0;
  stored.output = 0;
  pool_.append(unrouted(s, e.port, e.packet.vc), at);
  engine::set_bit(newcomers(s), e.port * channels_ + e.packet.vc);
  note(s, e.port, tick, e.packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::arrived, s, e.port, e.packet, tick);
  if (switch_.routing_ticks == 0) {
    kernel_->touch(e.entity);
  } else {
    wake_at(e.entity, stored.due);
  }
}

template <class Host>
inline void SwitchNetwork<Host>::absorb(Tick tick, const Credit& e) {
  const Entity& s = entities_[e.entity];
  Port& port = port_at(s, e.port);
  // The far input hands on one packet at a time: the credits of the one before are all here.
  add_credits(s, e.port, port.stream_vc, static_cast<i32>(port.stream_cells));
  port.stream_start = tick;
  port.stream_cells = e.cells;
  port.stream_spacing = e.spacing;
  port.stream_vc = e.vc;
  if (port.awaited != 0) {
    port.awaited = 0;
    entities_[e.entity].retry = 1;
    kernel_->touch(e.entity);
  }
}

template <class Host>
inline Tick SwitchNetwork<Host>::room_at(const Entity& s, u32 port, u32 vc, u32 cells, Tick now) {
  if (wire_at(s, port).to_node) return now;
  Port& p = port_at(s, port);
  i64 lacking = i64{cells} - credits(s, port, vc);
  u32 coming = vc == p.stream_vc ? p.stream_cells : 0;  // of credits that come one by one, those that are of use here
  if (switch_.shared) [[unlikely]] {
    lacking = i64{cells} - shared_room(s, port, vc, 0);
    if (vc != p.stream_vc) coming = shared_part(s, port, p.stream_cells);
  }
  if (lacking <= 0) return now;
  if (lacking > coming) {
    p.awaited = 1;
    return never;
  }
  return std::max(now, p.stream_start + static_cast<Tick>(lacking - 1) * p.stream_spacing);
}

template <class Host>
inline void SwitchNetwork<Host>::put_on_link(u32 entity, u32 port, Packet& packet, Tick begin) {
  Entity& s = entities_[entity];
  const Wire& wire = wire_at(s, port);
  const Tick busy = Tick{packet.cells} * wire.cell_ticks;
  const bool inside = topology_.direct() && port >= s.switch_ports - 1U;  // between a router and the node in it
  if (inside) {
    book_hop();
  } else {
    book_link(busy);
    ++packet.state.links;
  }
  ++s.work;
  if (details_ != nullptr) [[unlikely]]
    details_->started(entity, port * channels_ + packet.vc, busy);
  if (wire.to_node) {
    const Tick last = begin + Tick{packet.cells - 1U} * wire.cell_ticks + wire.ticks;
    kernel_->send(wire.peer, last, Taken{0, packet}, entity);
  } else {
    kernel_->send(wire.peer, begin + wire.ticks, Arrival{0, wire.peer_port, packet}, entity);
  }
}

template <class Host>
inline void SwitchNetwork<Host>::route_due(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
    const u32 port = channel / channels_, vc = channel % channels_;
    List& list = unrouted(s, port, vc);
    while (!list.empty()) {
      const Stored<Packet>& first = pool_.first(list);
      if (first.due > tick && (s.retry == 0 || first.output != undecided)) return;
      if (switch_.queues == Queues::fifo && has_queue(s, port, vc)) return;
      if (!route_first(entity, port, list, tick)) return;
    }
    engine::clear_bit(newcomers(s), channel);
  });
  s.retry = 0;
}

template <class Host>
inline bool SwitchNetwork<Host>::route_first(u32 entity, u32 port, List& list, Tick tick) {
  const Entity& s = entities_[entity];
  Stored<Packet>& stored = pool_.first(list);
  Packet& packet = stored.packet;
  const NodeId to(packet.to);
  const bool direct = topology_.direct();
  const u32 base = first_channel(packet);
  const bool injected = direct && port + 1 == s.switch_ports;
  const QueuePlace place{s.global, injected ? QueuePlace::injection : port, injected ? 0U : packet.vc - base};
  if (!direct && topology_.router_of(to).value() == s.global) {
    stored.output = static_cast<u16>(topology_.port_of(to));
    stored.vc = static_cast<u8>(base + lane_to_node(packet, place));
  } else {
    if (routes(packet).decides() && stored.output != undecided && topology_.router_of(to).value() != s.global) {
      const Outputs outputs(*this, entity, base, tick);
      routes(packet).routing().decide(packet.state, place, NodeId(packet.from), to, outputs);
    }
    const Routes::Ways& ways = routes(packet).ask(place, {NodeId(packet.from), to, packet.state});
    u32 output = 0;
    if (ways.arrived) {
      output = (s.switch_ports - 1U) * channels_ + base + lane_to_node(packet, place);  // to the node inside
    } else {
      if (!ways.choice) {
        output = among_all(ways.outputs.empty() ? ways.escape : ways.outputs.front(), base);
      } else if (output = choose(s, ways, stored, tick); output == Candidates::none) {
        return false;
      }
    }
    stored.output = static_cast<u16>(output / channels_);
    stored.vc = static_cast<u8>(output % channels_);
    if (!ways.arrived) routes(packet).routing().leave(packet.state, place, stored.output, stored.vc - base);
  }
  port_at(s, stored.output).waiting_cells += packet.cells;
  notices_.changed(entity, stored.output);
  const Tick in = wire_at(s, port).cell_ticks, out = wire_at(s, stored.output).cross_ticks;
  const Tick gap = switch_.store_and_forward ? in : in > out ? in - out : 0;
  stored.due = tick + Tick{packet.cells - 1U} * gap;
  Tick& idle = idle_until_[s.first_port + port];
  idle = std::min(idle, stored.due);
  pool_.put(ports_.queues(s.first_port + port), pool_.remove_first(list), numbering());
  engine::set_bit(inputs(s), port);
  return true;
}

/// One of several ways that has credits for all of a packet, which are set aside then; none if there is none: the
/// packet is `undecided` then, and due when there may be.
template <class Host>
inline u32 SwitchNetwork<Host>::choose(const Entity& s, const Routes::Ways& ways, Stored<Packet>& stored, Tick tick) {
  const u32 base = first_channel(stored.packet);
  Roomiest best{stored.packet.cells - 1};
  const auto consider = [&](u32 way) {
    const u32 output = among_all(way, base);
    offer(best, s, output / channels_, output % channels_, tick);
  };
  for (const u32 way : ways.outputs) consider(way);
  const bool may_escape = ways.escape != Candidates::none;
  if (best.way == Candidates::none && may_escape) consider(ways.escape);
  if (best.way != Candidates::none) {
    add_credits(s, best.way / channels_, best.way % channels_, -i32{stored.packet.cells});
    stored.set_aside = 1;
    return best.way;
  }
  stored.output = undecided;
  stored.due = never;
  const auto wait_for = [&](u32 way) {
    const u32 output = among_all(way, base);
    stored.due = std::min(stored.due, room_at(s, output / channels_, output % channels_, stored.packet.cells, tick));
  };
  for (const u32 way : ways.outputs) wait_for(way);
  if (may_escape) wait_for(ways.escape);
  return Candidates::none;
}

/// From when on the buffer of an output holds a packet besides what the link has not taken by then.
template <class Host>
inline Tick SwitchNetwork<Host>::output_room_at(const Entity& s, u32 output, u32 cells) const {
  const Tick through = link_through_[s.first_port + output];
  const Tick before = settings_.switch_ticks + Tick{switch_.output_cells - cells} * wire_at(s, output).cell_ticks;
  return through > before ? through - before : 0;
}

template <class Host>
inline Tick SwitchNetwork<Host>::earliest(const Entity& s, u32 input, const Stored<Packet>& first, Tick now) {
  Tick idle = std::max({first.due, port_at(s, input).read_until, port_at(s, first.output).busy_until});
  if (switch_.output_cells != 0) [[unlikely]]
    idle = std::max(idle, output_room_at(s, first.output, first.packet.cells));
  if (first.set_aside != 0) return idle;
  return std::max(idle, room_at(s, first.output, first.vc, first.packet.cells, now));
}

template <class Host>
inline Tick SwitchNetwork<Host>::look(const Entity& s, u32 input, Tick tick) {
  const Tick idle = port_at(s, input).read_until;
  if (idle > tick) return idle;
  Tick soonest = never;
  pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
    const Tick when = earliest(s, input, pool_[at], tick);
    soonest = std::min(soonest, std::max(when, tick + 1));
  });
  return soonest;
}

template <class Host>
inline void SwitchNetwork<Host>::ask(const Entity& s, u32 input, Tick tick, u32 of_class) {
  pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
    const Stored<Packet>& first = pool_[at];
    if (of_class != any_class && first.packet.traffic_class != of_class) return;
    if (earliest(s, input, first, tick) > tick) return;
    if (!matching_.any()) matching_.begin(s.switch_ports);
    matching_.ask(input, first.output, first.packet.birth());
  });
}

/// With priorities a class is matched when those before it are on their way, among the inputs and outputs that are
/// still idle.
template <class Host>
inline void SwitchNetwork<Host>::match(u32 entity, Tick tick) {
  if (arbitration_.used()) [[unlikely]]
    return arbitrate(entity, tick);
  if (!switch_.strict) return match(entity, tick, any_class);
  for (u32 c = 0; c < switch_.classes; ++c) match(entity, tick, c);
}

template <class Host>
inline void SwitchNetwork<Host>::match(u32 entity, Tick tick, u32 of_class) {
  Entity& s = entities_[entity];
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    if (idle_until_[s.first_port + input] > tick && !settings_.every_cycle) return;
    if (port_at(s, input).read_until <= tick) ask(s, input, tick, of_class);
  });
  if (!matching_.any()) return;
  struct Pointers {
    PortTable& ports;
    u32 first;
    u16& grant(u32 output) { return ports.port(first + output).grant; }
    u16& accept(u32 input) { return ports.port(first + input).accept; }
  };
  const u64 bits = switch_.scheduling == Scheduling::random
                       ? engine::random_bits(settings_.seed, s.global, s.matches, engine::Use::arbitration)
                       : 0;
  ++s.matches;
  matching_.match(Pointers{ports_, s.first_port}, bits);
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    const u32 output = matching_.output_of(input);
    if (output != Matching::none) transfer(entity, input, output, pick_packet(s, input, output, tick, of_class), tick);
  });
  matching_.end();
}

/// The first packet of a queue of an input that takes the output that the input got.
template <class Host>
inline u32 SwitchNetwork<Host>::pick_packet(const Entity& s, u32 input, u32 output, Tick tick, u32 of_class) {
  Port& out = port_at(s, output);
  const u32 base = switch_.queues == Queues::voq ? output * lanes_ : 0;
  u32 best = Matching::none, count = 0, best_turns = lanes_;
  pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
    const Stored<Packet>& first = pool_[at];
    if (first.output != output || (of_class != any_class && first.packet.traffic_class != of_class)) return;
    if (earliest(s, input, first, tick) > tick) return;
    const u32 lane = numbering()(first) - base;
    ++count;
    if (switch_.scheduling == Scheduling::islip) {
      const u32 turns = lane >= out.turn ? lane - out.turn : lane + lanes_ - out.turn;
      if (turns < best_turns) best_turns = turns, best = at;
    } else if (switch_.scheduling == Scheduling::random) {
      const u64 bits = engine::random_bits(settings_.seed, s.global, u64{s.matches} << 32 | (input << 16 | lane),
                                           engine::Use::routing);
      if (engine::scale_to(bits, count) == 0) best = at;
    } else if (best == Matching::none || first.packet.birth() < pool_[best].packet.birth()) {
      best = at;
    }
  });
  WEFT_ASSERT(best != Matching::none);
  if (switch_.scheduling == Scheduling::islip) {
    const u32 lane = numbering()(pool_[best]) - base;
    out.turn = static_cast<u16>(lane + 1 < lanes_ ? lane + 1 : 0);
  }
  return best;
}

template <class Host>
inline void SwitchNetwork<Host>::transfer(u32 entity, u32 input, u32 output, u32 at, Tick tick) {
  Entity& s = entities_[entity];
  u32& queues = ports_.queues(s.first_port + input);
  pool_.take_first(queues, at);
  if (queues == List::none) engine::clear_bit(inputs(s), input);
  Stored<Packet>& stored = pool_[at];
  Packet packet = stored.packet;
  const Wire& in = wire_at(s, input);
  const u32 spacing = wire_at(s, output).cross_ticks;
  kernel_->send(in.peer, tick + in.ticks, Credit{0, static_cast<u16>(in.peer_port), packet.vc, packet.cells, spacing},
                entity);
  if (stored.set_aside == 0 && !wire_at(s, output).to_node) {
    add_credits(s, output, stored.vc, -i32{packet.cells});
  }
  packet.vc = stored.vc;
  pool_.give_back(at);
  port_at(s, output).waiting_cells -= packet.cells;
  if (congestion_.marks()) [[unlikely]] {
    const bool moves = wire_at(s, output).to_node || room(s, output, stored.vc, tick) >= settings_.packet_phits;
    const Congestion::Met met{port_at(s, output).waiting_cells, moves};
    if (congestion_.marked(s.global, output, packet.cells, met, tick)) packet.marked = 1;
  }
  notices_.changed(entity, output);
  const Tick idle = tick + Tick{packet.cells} * spacing;
  port_at(s, input).read_until = idle;
  idle_until_[s.first_port + input] = idle;
  port_at(s, output).busy_until = idle;
  Tick begin = tick + settings_.switch_ticks;
  if (switch_.output_cells != 0) [[unlikely]] {
    Tick& through = link_through_[s.first_port + output];
    begin = std::max(begin, through);
    through = begin + Tick{packet.cells} * wire_at(s, output).cell_ticks;
  }
  put_on_link(entity, output, packet, begin);
}

template <class Host>
inline void SwitchNetwork<Host>::order_wake(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  Tick when = s.room_at;
  if (s.waiting != 0) {
    const u32 port = s.switch_ports;
    Tick soonest = never;
    for (u32 c = 0; c < node_queues_; ++c) {
      const List& list = node_queue(entity, c);
      if (list.empty()) continue;
      u32 before = list.last;
      if (congestion_.used()) [[unlikely]] {
        const MaySend first = may_send(entity, c, tick);
        soonest = std::min(soonest, first.later);
        if (first.before == List::none) continue;
        before = first.before;
      }
      const Packet& packet = pool_[pool_[before].next].packet;
      for_node_channels(packet, [&](u32 vc) { soonest = std::min(soonest, room_at(s, port, vc, packet.cells, tick)); });
    }
    if (soonest != never) when = std::min(when, std::max(soonest, port_at(s, port).busy_until));
  }
  engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
    const u32 port = channel / channels_, vc = channel % channels_;
    if (switch_.queues == Queues::fifo && has_queue(s, port, vc)) return;
    when = std::min(when, pool_.first(unrouted(s, port, vc)).due);
  });
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    Tick& idle = idle_until_[s.first_port + input];
    if (idle <= tick) idle = look(s, input, tick);
    when = std::min(when, idle);
  });
  if (settings_.every_cycle && when != never) [[unlikely]]
    when = tick + 1;
  if (when != never) wake_at(entity, std::max(when, tick + 1));
}

}  // namespace weft::models::cells
