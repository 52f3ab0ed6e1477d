// The second phase of a CellNetwork's tick: packets that have come are routed, inputs and outputs are matched
// (crossbar_engine.hpp), and the next look is ordered.
#pragma once

#include <algorithm>

#include "models/machine/cells/cell_network.hpp"

namespace weft::models::cells {

template <class Host>
inline void CellNetwork<Host>::act(Tick tick, u32 entity) {
  Entity& s = entities_[entity];
  if (s.has_node != 0) {
    if (s.free_space.take(tick)) host_.space(*this, tick, entity);
    if constexpr (Host::acts) host_.act(*this, tick, entity);
    if (s.waiting != 0) send_from_node(entity, tick);
  }
  if (s.switch_ports != 0) {
    if (s.retry != 0) [[unlikely]]
      look_again(entity);
    if (keeps_arrivals_) route_due(entity, tick);
    match(entity, tick);
    if (notices_.used()) [[unlikely]]
      tell_neighbours(entity, tick);
  }
  order_wake(entity, tick);
}

/// Credits have come that somebody waits for.
template <class Host>
inline void CellNetwork<Host>::look_again(u32 entity) {
  Entity& s = entities_[entity];
  s.retry = 0;
  u64* const in_wait = inputs_in_wait(s);
  engine::for_bits(in_wait, input_words(s), [&](u32 input) { idle_until_[s.first_port + input] = 0; });
  std::fill_n(in_wait, input_words(s), u64{0});
}

template <class Host>
inline void CellNetwork<Host>::tell_neighbours(u32 entity, Tick tick) {
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
inline void CellNetwork<Host>::arrive(Tick tick, const Arrival& e) {
  const Entity& s = entities_[e.entity];
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored.packet = e.packet;
  stored.due = tick + switch_.routing_ticks;
  stored.candidates = stored.one;
  stored.output = 0;
  note(s, e.port, tick, e.packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::arrived, {e.entity, s.global, e.port * channels_ + e.packet.vc, tick, 0}, e.packet);
  Tick due = stored.due;
  if (keeps_arrivals_) {
    pool_.append(unrouted(s, e.port, e.packet.vc), at);
    engine::set_bit(newcomers(s), e.port * channels_ + e.packet.vc);
  } else {
    route(e.entity, e.port, at, tick);
    due = std::max(due, ports_.read_until(s.first_port + e.port));
  }
  if (due == tick) {
    kernel_->touch(e.entity);
  } else {
    wake_at(e.entity, due);
  }
}

template <class Host>
inline void CellNetwork<Host>::absorb(Tick tick, const Credit& e) {
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
inline Tick CellNetwork<Host>::room_at(const Entity& s, u32 port, u32 vc, u32 cells, Tick now) {
  i64 lacking = i64{cells} - credits(s, port, vc);
  if (lacking <= 0) [[likely]]
    return now;
  Port& p = port_at(s, port);
  u32 coming = vc == p.stream_vc ? p.stream_cells : 0;  // of credits that come one by one, those that are of use here
  if (switch_.shared) [[unlikely]] {
    lacking = i64{cells} - shared_room(s, port, vc, 0);
    if (vc != p.stream_vc) coming = shared_part(s, port, p.stream_cells);
  }
  if (lacking <= 0) return now;
  if (lacking > coming) {
    p.awaited = 1;
    awaits_ = true;
    return never;
  }
  return std::max(now, p.stream_start + static_cast<Tick>(lacking - 1) * p.stream_spacing);
}

template <class Host>
inline void CellNetwork<Host>::put_on_link(u32 entity, u32 port, Packet& packet, Tick begin) {
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
inline void CellNetwork<Host>::route_due(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
    const u32 port = channel / channels_, vc = channel % channels_;
    List& list = unrouted(s, port, vc);
    while (!list.empty()) {
      if (pool_.first(list).due > tick) return;
      if (switch_.queues == Queues::fifo && has_queue(s, port, vc)) return;
      route(entity, port, pool_.remove_first(list), tick);
    }
    engine::clear_bit(newcomers(s), channel);
  });
}

template <class Host>
inline QueuePlace CellNetwork<Host>::place_of(const Entity& s, u32 port, const Packet& packet) const {
  if (topology_.direct() && port + 1 == s.switch_ports) return {s.global, QueuePlace::injection, 0};
  return {s.global, port, packet.vc - first_channel(packet)};
}

template <class Host>
inline void CellNetwork<Host>::route(u32 entity, u32 port, u32 at, Tick tick) {
  const Entity& s = entities_[entity];
  Stored<Packet>& stored = pool_[at];
  Packet& packet = stored.packet;
  const NodeId to(packet.to);
  const bool direct = topology_.direct(), here = topology_.router_of(to).value() == s.global;
  const u32 base = first_channel(packet);
  const QueuePlace place = place_of(s, port, packet);
  if (!direct && here) {
    stored.output = static_cast<u16>(topology_.port_of(to));
    stored.vc = static_cast<u8>(base + lane_to_node(packet, place));
  } else {
    const Routing& routing = routes(packet).routing();
    if (routes(packet).decides() && !here) {
      const Outputs outputs(*this, entity, base, tick);
      routing.decide(packet.state, place, NodeId(packet.from), to, outputs);
    }
    const Routes::Ways& ways = routes(packet).ask(place, {NodeId(packet.from), to, packet.state});
    if (ways.arrived) {  // to the node inside
      stored.output = static_cast<u16>(s.switch_ports - 1U);
      stored.vc = static_cast<u8>(base + lane_to_node(packet, place));
    } else if (ways.choice) {
      stored.candidates = set_number(ways, base);
    } else {
      const u32 output = among_all(ways.outputs.empty() ? ways.escape : ways.outputs.front(), base);
      stored.output = static_cast<u16>(output / channels_);
      stored.vc = static_cast<u8>(output % channels_);
      routing.leave(packet.state, place, stored.output, stored.vc - base);
    }
  }
  if (!stored.has_choice()) stored.due += gap(s, port, stored.output, packet.cells);
  if (keeps_arrivals_) {
    for_outputs_waited_for(stored, [&](u32 output, u32 cells) {
      port_at(s, output).waiting_cells += cells;
      notices_.changed(entity, output);
    });
  }
  Tick& idle = idle_until_[s.first_port + port];
  idle = std::min(idle, std::max({stored.due, tick, ports_.read_until(s.first_port + port)}));
  pool_.put(ports_.queues(s.first_port + port), at, numbering());
  engine::set_bit(inputs(s), port);
}

template <class Host>
inline u32 CellNetwork<Host>::set_number(const Routes::Ways& ways, u32 base) {
  if (arbitration_.used()) throw Bug("switches with VL arbitration take routes without a choice");
  const u32 escape = ways.escape == Candidates::none ? Candidates::none : among_all(ways.escape, base);
  if (switch_.classes == 1) [[likely]]
    return candidate_sets_.number_of(ways.outputs, escape);
  of_class_.clear();
  for (const u32 way : ways.outputs) of_class_.push_back(among_all(way, base));
  return candidate_sets_.number_of(of_class_, escape);
}

template <class Host>
inline void CellNetwork<Host>::find_candidates(const Entity& s, u32 port, Stored<Packet>& stored) {
  const Packet& packet = stored.packet;
  const PacketOnRoute on_route{NodeId(packet.from), NodeId(packet.to), packet.state};
  stored.candidates = set_number(routes(packet).ask(place_of(s, port, packet), on_route), first_channel(packet));
}

/// From when on the buffer of an output holds a packet besides what the link has not taken by then.
template <class Host>
inline Tick CellNetwork<Host>::output_room_at(const Entity& s, u32 output, u32 cells) const {
  const Tick through = link_through_[s.first_port + output];
  const Tick before = settings_.switch_ticks + Tick{switch_.output_cells - cells} * wire_at(s, output).cell_ticks;
  return through > before ? through - before : 0;
}

template <class Host>
inline Tick CellNetwork<Host>::earliest(const Entity& s, u32 input, const Stored<Packet>& first, Tick now) {
  if (first.has_choice()) [[unlikely]]
    return earliest_of_candidates(s, input, first, now);
  const u32 cells = first.packet.cells;
  const Tick idle = crossing_at(s, first.output, cells, first.due);
  return std::max(idle, room_at(s, first.output, first.vc, cells, now));
}

/// With an escape that is shut as long as another candidate has credits: who takes those looks again (order_wake).
template <class Host>
inline Tick CellNetwork<Host>::earliest_of_candidates(const Entity& s, u32 input, const Stored<Packet>& first,
                                                      Tick now) {
  const u32 cells = first.packet.cells;
  Tick soonest = never;
  for_candidates(first, [&](u32 candidate) {
    const u32 output = candidate / channels_;
    const Tick there = room_at(s, output, candidate % channels_, cells, now);
    if (there != never) soonest = std::min(soonest, std::max(candidate_at(s, input, output, first), there));
    return there <= now;
  });
  return soonest;
}

template <class Host>
inline Tick CellNetwork<Host>::look(const Entity& s, u32 input, Tick tick) {
  const Tick idle = ports_.read_until(s.first_port + input);
  if (idle > tick) return idle;
  Tick soonest = never;
  awaits_ = false;
  pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
    const Tick when = earliest(s, input, pool_[at], tick);
    soonest = std::min(soonest, std::max(when, tick + 1));
  });
  if (awaits_) engine::set_bit(inputs_in_wait(s), input);
  return soonest;
}

template <class Host>
inline void CellNetwork<Host>::order_wake(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  Tick when = s.free_space.told_at();
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
    if (soonest != never) when = std::min(when, std::max(soonest, ports_.busy_until(s.first_port + port)));
  }
  bool waiting = s.waiting != 0;
  if (keeps_arrivals_) {
    engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
      waiting = true;
      const u32 port = channel / channels_, vc = channel % channels_;
      if (switch_.queues == Queues::fifo && has_queue(s, port, vc)) return;
      when = std::min(when, pool_.first(unrouted(s, port, vc)).due);
    });
  }
  const bool escapes_may_open = s.took != 0 && candidate_sets_.escapes();
  s.took = 0;
  if (escapes_may_open || settings_.every_cycle || switch_.strict || arbitration_.used()) [[unlikely]] {
    engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
      waiting = true;
      Tick& idle = idle_until_[s.first_port + input];
      if (idle <= tick || escapes_may_open) idle = look(s, input, tick);
      when = std::min(when, idle);
    });
  } else if (s.switch_ports != 0) {
    when = std::min(when, next_input_);
  }
  if (settings_.every_cycle && waiting) [[unlikely]]
    when = tick + 1;
  if (when != never) wake_at(entity, std::max(when, tick + 1));
}

}  // namespace weft::models::cells
