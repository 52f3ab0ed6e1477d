// The second phase of a SwitchNetwork's tick: nodes send, packets that have come are routed, inputs and outputs are
// matched, and what is matched goes on its way.
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
    route_due(entity, tick);
    match(entity, tick);
  }
  order_wake(entity, tick);
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
  Port& port = ports_[s.first_port + e.port];
  // The far input hands on one packet at a time: the credits of the one before are all here.
  credits(s, e.port, port.stream_vc) += static_cast<i32>(port.stream_cells);
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
  if (wires_[s.first_port + port].to_node) return now;
  Port& p = ports_[s.first_port + port];
  const i64 lacking = i64{cells} - credits(s, port, vc);
  if (lacking <= 0) return now;
  if (vc != p.stream_vc || lacking > p.stream_cells) {
    p.awaited = 1;
    return never;
  }
  return std::max(now, p.stream_start + static_cast<Tick>(lacking - 1) * p.stream_spacing);
}

template <class Host>
inline void SwitchNetwork<Host>::put_on_link(u32 entity, u32 port, Packet& packet, Tick tick, Tick begin) {
  Entity& s = entities_[entity];
  const Wire& wire = wires_[s.first_port + port];
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
  ports_[s.first_port + port].busy_until = tick + busy;
  if (wire.to_node) {
    const Tick last = begin + Tick{packet.cells - 1U} * wire.cell_ticks + wire.ticks;
    kernel_->send(wire.peer, last, Taken{0, packet}, entity);
  } else {
    kernel_->send(wire.peer, begin + wire.ticks, Arrival{0, wire.peer_port, packet}, entity);
  }
}

template <class Host>
inline void SwitchNetwork<Host>::send_from_node(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  const u32 port = s.switch_ports;
  if (ports_[s.first_port + port].busy_until > tick) return;
  Packet packet = pool_.first(s.node_queue).packet;
  Roomiest best{packet.cells - 1};
  for_node_channels(packet, [&](u32 vc) { offer(best, s, port, vc, tick); });
  if (best.way == Candidates::none) return;
  const u32 at = pool_.remove_first(s.node_queue);
  pool_.give_back(at);
  --s.waiting;
  packet.vc = static_cast<u8>(best.way - port * channels_);
  credits(s, port, packet.vc) -= packet.cells;
  book_injection(tick, packet.age(tick), packet.cells);
  if (s.refused != 0) {
    s.refused = 0;
    s.room_at = tick + settings_.cycle_ticks;
  }
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::injected, s, port, packet, tick);
  put_on_link(entity, port, packet, tick, tick);
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
      if (switch_.queues == Queues::fifo && !queue(s, port, vc).empty()) return;
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
  if (!direct && topology_.router_of(to).value() == s.global) {
    stored.output = static_cast<u16>(topology_.port_of(to));
    stored.vc = 0;
  } else {
    const bool injected = direct && port + 1 == s.switch_ports;
    const QueuePlace place{s.global, injected ? QueuePlace::injection : port, injected ? 0U : packet.vc};
    const Routes::Ways& ways = routes_.ask(place, {NodeId(packet.from), to, packet.state});
    u32 way = (s.switch_ports - 1U) * channels_;  // to the node inside
    if (!ways.arrived) {
      way = ways.outputs.empty() ? ways.escape : ways.outputs.front();
      if (ways.choice) way = choose(s, ways, stored, tick);
      if (way == Candidates::none) return false;
    }
    stored.output = static_cast<u16>(way / channels_);
    stored.vc = static_cast<u8>(way % channels_);
    if (!ways.arrived) routes_.routing().leave(packet.state, place, stored.output, stored.vc);
  }
  const Tick in = wires_[s.first_port + port].cell_ticks, out = wires_[s.first_port + stored.output].cell_ticks;
  const Tick gap = switch_.store_and_forward ? in : in > out ? in - out : 0;
  stored.due = tick + Tick{packet.cells - 1U} * gap;
  u32 number = packet.vc;
  if (switch_.queues == Queues::voq) number = stored.output * lanes_ + (stored.set_aside != 0 ? channels_ : stored.vc);
  pool_.append(queue(s, port, number), pool_.remove_first(list));
  engine::set_bit(occupied(s, port), number);
  engine::set_bit(inputs(s), port);
  return true;
}

/// One of several ways that has credits for all of a packet, which are set aside then; none if there is none: the
/// packet is `undecided` then, and due when there may be.
template <class Host>
inline u32 SwitchNetwork<Host>::choose(const Entity& s, const Routes::Ways& ways, Stored<Packet>& stored, Tick tick) {
  Roomiest best{stored.packet.cells - 1};
  for (const u32 way : ways.outputs) offer(best, s, way / channels_, way % channels_, tick);
  const bool may_escape = ways.escape != Candidates::none;
  if (best.way == Candidates::none && may_escape)
    offer(best, s, ways.escape / channels_, ways.escape % channels_, tick);
  if (best.way != Candidates::none) {
    credits(s, best.way / channels_, best.way % channels_) -= stored.packet.cells;
    stored.set_aside = 1;
    return best.way;
  }
  stored.output = undecided;
  stored.due = never;
  const auto wait_for = [&](u32 way) {
    stored.due = std::min(stored.due, room_at(s, way / channels_, way % channels_, stored.packet.cells, tick));
  };
  for (const u32 way : ways.outputs) wait_for(way);
  if (may_escape) wait_for(ways.escape);
  return Candidates::none;
}

template <class Host>
inline Tick SwitchNetwork<Host>::earliest(const Entity& s, u32 input, const Stored<Packet>& first, Tick now) {
  const Tick idle =
      std::max({first.due, ports_[s.first_port + input].read_until, ports_[s.first_port + first.output].busy_until});
  if (first.set_aside != 0) return idle;
  return std::max(idle, room_at(s, first.output, first.vc, first.packet.cells, now));
}

template <class Host>
inline Tick SwitchNetwork<Host>::look(const Entity& s, u32 input, Tick tick, bool ask) {
  Tick soonest = never;
  engine::for_bits(occupied(s, input), words_of(s), [&](u32 number) {
    const Stored<Packet>& first = pool_.first(queue(s, input, number));
    const Tick when = earliest(s, input, first, tick);
    if (when > tick) {
      soonest = std::min(soonest, when);
    } else if (ask) {
      if (!matching_.any()) matching_.begin(s.switch_ports);
      matching_.ask(input, first.output, first.packet.birth());
    } else {
      soonest = tick + 1;
    }
  });
  return soonest;
}

template <class Host>
inline void SwitchNetwork<Host>::match(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    if (ports_[s.first_port + input].read_until <= tick) static_cast<void>(look(s, input, tick, true));
  });
  if (!matching_.any()) return;
  struct Pointers {
    Port* ports;
    u16& grant(u32 output) { return ports[output].grant; }
    u16& accept(u32 input) { return ports[input].accept; }
  };
  const u64 bits = switch_.scheduling == Scheduling::random
                       ? engine::random_bits(settings_.seed, s.global, s.matches, engine::Use::arbitration)
                       : 0;
  ++s.matches;
  matching_.match(Pointers{&ports_[s.first_port]}, bits);
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    if (matching_.output_of(input) != Matching::none) transfer(entity, input, matching_.output_of(input), tick);
  });
  matching_.end();
}

/// The queue of an input whose first packet takes the output that the input got.
template <class Host>
inline u32 SwitchNetwork<Host>::pick_queue(const Entity& s, u32 input, u32 output, Tick tick) {
  Port& out = ports_[s.first_port + output];
  const u32 base = switch_.queues == Queues::voq ? output * lanes_ : 0;
  u32 best = Matching::none, count = 0;
  for (u32 k = 0; k < lanes_; ++k) {
    u32 vc = k + (switch_.scheduling == Scheduling::islip ? out.turn : 0U);
    if (vc >= lanes_) vc -= lanes_;
    const List& list = queue(s, input, base + vc);
    if (list.empty()) continue;
    const Stored<Packet>& first = pool_.first(list);
    if (first.output != output || earliest(s, input, first, tick) > tick) continue;
    if (switch_.scheduling == Scheduling::islip) {
      out.turn = static_cast<u16>(vc + 1 < lanes_ ? vc + 1 : 0);
      return base + vc;
    }
    ++count;
    if (switch_.scheduling == Scheduling::random) {
      const u64 bits = engine::random_bits(settings_.seed, s.global, u64{s.matches} << 32 | (input << 16 | vc),
                                           engine::Use::routing);
      if (engine::scale_to(bits, count) == 0) best = base + vc;
    } else if (best == Matching::none || first.packet.birth() < pool_.first(queue(s, input, best)).packet.birth()) {
      best = base + vc;
    }
  }
  WEFT_ASSERT(best != Matching::none);
  return best;
}

template <class Host>
inline void SwitchNetwork<Host>::transfer(u32 entity, u32 input, u32 output, Tick tick) {
  Entity& s = entities_[entity];
  const u32 number = pick_queue(s, input, output, tick);
  List& list = queue(s, input, number);
  const u32 at = pool_.remove_first(list);
  if (list.empty()) {
    engine::clear_bit(occupied(s, input), number);
    if (!engine::any_bit(occupied(s, input), words_of(s))) engine::clear_bit(inputs(s), input);
  }
  Stored<Packet>& stored = pool_[at];
  Packet packet = stored.packet;
  const Wire& in = wires_[s.first_port + input];
  const u32 spacing = wires_[s.first_port + output].cell_ticks;
  kernel_->send(in.peer, tick + in.ticks, Credit{0, static_cast<u16>(in.peer_port), packet.vc, packet.cells, spacing},
                entity);
  if (stored.set_aside == 0 && !wires_[s.first_port + output].to_node) {
    credits(s, output, stored.vc) -= packet.cells;
  }
  packet.vc = stored.vc;
  pool_.give_back(at);
  ports_[s.first_port + input].read_until = tick + Tick{packet.cells} * spacing;
  put_on_link(entity, output, packet, tick, tick + settings_.switch_ticks);
}

template <class Host>
inline void SwitchNetwork<Host>::order_wake(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  Tick when = s.room_at;
  if (s.waiting != 0) {
    const u32 port = s.switch_ports;
    const Packet& packet = pool_.first(s.node_queue).packet;
    Tick soonest = never;
    for_node_channels(packet, [&](u32 vc) { soonest = std::min(soonest, room_at(s, port, vc, packet.cells, tick)); });
    if (soonest != never) when = std::min(when, std::max(soonest, ports_[s.first_port + port].busy_until));
  }
  engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
    const u32 port = channel / channels_, vc = channel % channels_;
    if (switch_.queues == Queues::fifo && !queue(s, port, vc).empty()) return;
    when = std::min(when, pool_.first(unrouted(s, port, vc)).due);
  });
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    const Tick idle = ports_[s.first_port + input].read_until;
    when = std::min(when, idle > tick ? idle : look(s, input, tick, false));
  });
  if (settings_.every_cycle && when != never) [[unlikely]]
    when = tick + 1;
  if (when != never) wake_at(entity, std::max(when, tick + 1));
}

template <class Host>
inline bool SwitchNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  Entity& s = entities_[entity];
  if (s.waiting >= switch_.node_packets) {
    s.refused = 1;
    return false;
  }
  WEFT_ASSERT(cells > 0 && cells <= settings_.packet_phits);
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored = {};
  static_cast<HostPacket&>(stored.packet) = sent;
  stored.packet.set_birth(tick);
  stored.packet.cells = static_cast<u16>(cells);
  routes_.routing().begin(stored.packet.state, NodeId(sent.from), NodeId(sent.to), (bits & ~u64{0xff}) | sent.ties);
  pool_.append(s.node_queue, at);
  ++s.waiting;
  book_birth(entity, cells);
  note(s, Place::birth, tick, stored.packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::born, s, s.switch_ports, stored.packet, tick);
  kernel_->touch(entity);
  return true;
}

template <class Host>
inline void SwitchNetwork<Host>::deliver(const Taken& e, Tick tick) {
  const Packet& packet = e.packet;
  const Entity& s = entities_[e.entity];
  const u32 distance = packet.state.links;
  const Tick latency = packet.age(tick);
  book_delivery({.entity = e.entity,
                 .at = tick,
                 .latency = latency,
                 .distance = distance,
                 .hops = distance - (topology_.direct() ? 0U : 2U),
                 .cells = packet.cells});
  note(s, Place::delivery, tick, packet);
  if (details_ != nullptr) [[unlikely]] {
    details_->delivered(packet.from, packet.to, distance, latency);
    tell(PacketEvent::Kind::delivered, s, s.switch_ports, packet, tick);
  }
  host_.delivered(*this, tick, tick, e.entity, packet);
}

}  // namespace weft::models::cells
