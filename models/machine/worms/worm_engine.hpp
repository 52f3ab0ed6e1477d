// Links out of a WormNetwork: packets hold them, and their cells leave in runs that pause where a cell or a credit is
// missing, or after a STOP. What a tick is made of, and what is signals of other entities.
#pragma once

#include "models/machine/worms/worm_network_class.hpp"

namespace weft::models::worms {

template <class Host>
inline void WormNetwork<Host>::prefetch_near(u32 entity, u32 step) const {
  const Entity& s = entities_[entity];
  if (step == 0) {
    engine::prefetch(looks(s));
  } else {
    engine::for_bits(looks(s), words_of(s), [&](u32 port) {
      prefetch_port(s.first_port + port);
      engine::prefetch(&wires_[s.first_port + port]);
    });
  }
}

template <class Host>
inline void WormNetwork<Host>::act(Tick tick, u32 entity) {
  Entity& s = entities_[entity];
  if (s.has_node != 0) {
    if (s.free_space.take(tick)) host_.space(*this, tick, entity);
    if (s.free_space.notify_at() != never) wake_at(entity, s.switch_ports, s.free_space.notify_at());
    if constexpr (Host::acts) host_.act(*this, tick, entity);
  }
  u64* const look = looks(s);
  const u32 words = words_of(s);
  if (live_ != nullptr) [[unlikely]] {
    if (faults_changed_at_ == tick) look_again(entity, tick);
    engine::for_bits(look, words, [&](u32 port) {
      if (ports_[s.first_port + port].cut != 0) tell_of_cut(entity, port, tick);
    });
  }
  if (settings_.every_cycle) [[unlikely]] {
    for (u32 p = 0; p < ports_of(s); ++p) engine::set_bit(look, p);
  }
  for (u32 w = 0; w < words; ++w) heads_[w] = links_[w] = buffers_[w] = look[w];
  engine::for_bits(look, words, [&](u32 port) { move_on(entity, port, tick); });
  bool routed = false;
  for (const bool behind : {false, true}) {
    engine::for_bits(heads_.data(), words, [&](u32 port) {
      if ((port < s.first_input) == behind) routed |= route(entity, port, tick);
    });
  }
  if (routed) s.first_input = static_cast<u16>(s.first_input + 1U < s.switch_ports ? s.first_input + 1 : 0);
  engine::for_bits(links_.data(), words, [&](u32 port) { offer(entity, port, tick); });
  if (stop_go_) engine::for_bits(buffers_.data(), words, [&](u32 port) { send_stop_go(entity, port, tick); });
  for (u32 w = 0; w < words; ++w) look[w] = 0;
  if (settings_.every_cycle) [[unlikely]] {
    bool busy = s.waiting != 0;
    for (u32 p = 0; p < ports_of(s); ++p)
      busy |= (ports_[s.first_port + p].active | ports_[s.first_port + p].packets) != 0;
    if (busy) wake_at(entity, 0, tick + 1);
  }
}

template <class Host>
inline void WormNetwork<Host>::absorb(Tick tick, const Arrival& e) {
  const Entity& s = entities_[e.entity];
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored = {};
  stored.packet = e.packet;
  stored.ready_at = tick + worm_.routing_ticks;
  if (live_ != nullptr) [[unlikely]] {
    if (const u32 event = loss_on_link(s, e.port, tick); event != not_lost) lose(stored.packet, event);
  }
  pool_.append(fifos_[s.first_port + e.port], at);
  Port& port = ports_[s.first_port + e.port];
  if (port.packets != 0) port.stored_whole += port.coming;
  ++port.packets;
  port.come = 0;
  port.coming = e.packet.cells;
  port.come_run = tick;
  port.come_running = 1;
  note(s, e.port, tick, e.packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::arrived, {e.entity, s.global, e.port, tick, 0}, e.packet);
  if (stop_go_ || (port.packets == 1 && worm_.routing_ticks == 0)) {
    look_at(e.entity, e.port);
  } else if (port.packets == 1) {
    wake_at(e.entity, e.port, stored.ready_at);
  }
}

template <class Host>
inline void WormNetwork<Host>::absorb(Tick tick, const Signal& e) {
  const Entity& s = entities_[e.entity];
  Port& port = ports_[s.first_port + e.port];
  const bool wanted = is_nodes(s, e.port) ? s.waiting != 0 || !s.small_queue.empty() : port.wanted != 0;
  const bool waits = port.active != 0 ? port.running == 0 : wanted;
  bool look = false;
  switch (e.kind) {
    case SignalKind::cells:
      port.come_run = tick;
      port.come_running = 1;
      look = stop_go_;
      if (port.reading != 0 && ports_[s.first_port + port.target].running == 0) look_at(e.entity, port.target);
      break;
    case SignalKind::pause:
      port.come += cell_.before(tick - port.come_run);
      port.come_running = 0;
      look = stop_go_;
      if (port.reading != 0) look_at(e.entity, port.target);
      break;
    case SignalKind::credits:  // those of the run before are all here
      port.credits += static_cast<i32>(port.credit_cells);
      port.credit_cells = e.cells;
      port.credit_run = tick;
      look = waits;
      break;
    case SignalKind::withheld:
      port.credits += static_cast<i32>(cell_.before(tick - port.credit_run));
      port.credit_cells = 0;
      look = port.running != 0;
      break;
    case SignalKind::stop:
      port.stopped = 1;
      look = port.running != 0;
      break;
    case SignalKind::go:
      port.stopped = 0;
      look = waits;
      break;
    case SignalKind::cut:
      hear_of_cut(e.entity, e.port, e.cells);
      break;
  }
  if (look) look_at(e.entity, e.port);
}

template <class Host>
inline u32 WormNetwork<Host>::most_of_run(const Entity& s, const Port& out, bool to_node, u32 gone) const {
  u32 most = out.length - out.sent;
  if (out.source < s.switch_ports) {
    const Port& in = ports_[s.first_port + out.source];
    if (in.packets == 1 && in.come_running == 0) most = std::min(most, in.come - out.sent);
  }
  if (to_node) return most;
  if (stop_go_) return out.stopped != 0 ? std::min(most, gone) : most;
  return std::min(most, static_cast<u32>(out.credits + static_cast<i32>(out.credit_cells)));
}

template <class Host>
inline Tick WormNetwork<Host>::end_of_run(const Entity& s, const Port& out, bool to_node, u32 gone) const {
  const u32 left = out.length - out.sent, most = most_of_run(s, out, to_node, gone);
  if (most == left && to_node && out.tail_notified == 0) return out.run + cell_(left - 1);
  return out.run + cell_(most);
}

template <class Host>
inline Tick WormNetwork<Host>::let_go_at(const Port& out, bool to_node) const {
  if (to_node) return 0;
  if (stop_go_) return out.stopped != 0 ? never : 0;
  if (out.credits > 0) return 0;
  if (out.credits + static_cast<i32>(out.credit_cells) <= 0) return never;
  return out.credit_run + cell_(static_cast<u64>(-out.credits));
}

template <class Host>
inline Tick WormNetwork<Host>::cell_there_at(const Entity& s, const Port& out) const {
  if (out.source >= s.switch_ports) return 0;
  const Port& in = ports_[s.first_port + out.source];
  if (in.packets > 1 || out.sent < in.come) return 0;
  return in.come_running == 0 ? never : in.come_run + cell_(out.sent - in.come);
}

template <class Host>
inline void WormNetwork<Host>::move_on(u32 entity, u32 output, Tick tick) {
  const Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  if (out.active == 0) return;
  const bool to_node = wires_[s.first_port + output].to_node;
  if (out.running != 0) {
    u32 gone = cell_.before(tick - out.run);
    if (out.run + cell_(gone) == tick) {  // one more is due
      if (out.sent + gone == out.length) return free_link(entity, output, tick);
      if (gone >= most_of_run(s, out, to_node, gone)) {
        pause(entity, output, gone, tick);
      } else {
        ++gone;
        if (to_node && out.sent + gone == out.length) tell_node(entity, output, tick);
      }
    }
    if (out.running != 0) return wake_at(entity, output, end_of_run(s, out, to_node, gone));
  }
  const Tick when = std::max({out.run, let_go_at(out, to_node), cell_there_at(s, out)});
  if (when <= tick) {
    start_run(entity, output, tick);
  } else if (when != never) {
    wake_at(entity, output, when);
  }
}

/// The next cell of the packet that holds the link leaves, and others will follow.
template <class Host>
inline void WormNetwork<Host>::start_run(u32 entity, u32 output, Tick tick) {
  const Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  const Wire& wire = wires_[s.first_port + output];
  out.running = 1;
  out.run = tick;
  if (!wire.to_node) {
    const Tick there = tick + reach(s, output);
    if (out.sent == 0) {
      kernel_->send(wire.peer, there, Arrival{0, wire.peer_port, packet_on(s, output).packet}, entity);
    } else {
      kernel_->send(wire.peer, there, Signal{0, static_cast<u16>(wire.peer_port), SignalKind::cells, 0}, entity);
    }
  } else if (out.sent + 1 == out.length) {
    tell_node(entity, output, tick);
  }
  if (out.source < s.switch_ports) {
    engine::set_bit(buffers_.data(), out.source);
    if (!stop_go_) {
      const Wire& in = wires_[s.first_port + out.source];
      kernel_->send(in.peer, tick + in.ticks,
                    Signal{0, static_cast<u16>(in.peer_port), SignalKind::credits, out.length - out.sent}, entity);
    }
  }
  wake_at(entity, output, end_of_run(s, out, wire.to_node, 1));
}

/// The cell that is due does not leave; so many of the run have.
template <class Host>
inline void WormNetwork<Host>::pause(u32 entity, u32 output, u32 gone, Tick tick) {
  const Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  const Wire& wire = wires_[s.first_port + output];
  out.held = 1;
  out.sent += gone;
  out.credits -= static_cast<i32>(wire.to_node ? 0 : gone);
  out.running = 0;
  out.run = tick;
  if (!wire.to_node) {
    kernel_->send(wire.peer, tick + reach(s, output), Signal{0, static_cast<u16>(wire.peer_port), SignalKind::pause, 0},
                  entity);
  }
  if (out.source >= s.switch_ports) return;
  engine::set_bit(buffers_.data(), out.source);
  if (stop_go_) return;
  const Wire& in = wires_[s.first_port + out.source];
  kernel_->send(in.peer, tick + in.ticks, Signal{0, static_cast<u16>(in.peer_port), SignalKind::withheld, 0}, entity);
}

/// The last cell has left C ago: link and source are idle.
template <class Host>
inline void WormNetwork<Host>::free_link(u32 entity, u32 output, Tick tick) {
  Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  if (!wires_[s.first_port + output].to_node) out.credits -= static_cast<i32>(out.length - out.sent);
  out.active = 0;
  out.running = 0;
  engine::set_bit(links_.data(), output);
  if (out.source >= s.switch_ports) {
    const bool data = out.source == s.switch_ports;
    if (data && nics_ != nullptr) data_left(entity, output, tick);
    pool_.give_back(pool_.remove_first(data ? s.node_queue : s.small_queue));
    return;
  }
  Port& in = ports_[s.first_port + out.source];
  pool_.give_back(pool_.remove_first(fifos_[s.first_port + out.source]));
  if (--in.packets != 0) in.stored_whole -= out.length;
  in.reading = 0;
  in.target = Port::none;
  engine::set_bit(heads_.data(), out.source);
  engine::set_bit(buffers_.data(), out.source);
}

/// The last cell leaves for a node.
template <class Host>
inline void WormNetwork<Host>::tell_node(u32 entity, u32 output, Tick tick) {
  const Entity& s = entities_[entity];
  ports_[s.first_port + output].tail_notified = 1;
  if (is_sink(s, output)) [[unlikely]]
    return count_gone(entity, packet_on(s, output).packet, ports_[s.first_port + output].source, tick);
  kernel_->send(wires_[s.first_port + output].peer, tick + reach(s, output), Taken{0, packet_on(s, output).packet},
                entity);
}

template <class Host>
inline void WormNetwork<Host>::put_on_link(u32 entity, u32 output, u32 source, Tick tick) {
  Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  out.active = 1;
  out.source = static_cast<u16>(source);
  out.sent = 0;
  out.tail_notified = 0;
  Packet& packet = packet_on(s, output).packet;
  out.length = packet.cells;
  if (is_sink(s, output)) [[unlikely]]
    return start_run(entity, output, tick);
  if (live_ != nullptr && wires_[s.first_port + output].to_node) [[unlikely]] {
    if (const u32 event = failure_to_node(s, output); event != not_lost) lose(packet, event);
  }
  const bool inside = topology_.direct() && output >= s.switch_ports - 1U;  // between a switch and the node in it
  if (inside) {
    record_hop();
  } else {
    record_link_start(cell_(packet.cells));
    ++packet.state.links;
  }
  ++s.work;
  if (details_ != nullptr) [[unlikely]] {
    details_->started(entity, output, cell_(packet.cells));
    if (!inside) details_->taken(tick, cell_(packet.cells));
  }
  if (const Tick late = slowdown(s, output, tick, packet.cells); late != 0) [[unlikely]] {
    out.run = tick + late;
    return wake_at(entity, output, out.run);
  }
  start_run(entity, output, tick);
}

}  // namespace weft::models::worms
