// The second phase of a CellNetwork's tick: packets that have come are routed, inputs and outputs are matched
// (crossbar_engine.hpp), and the next look is ordered.
#pragma once

#include <algorithm>

#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
inline void CellNetwork<Host>::prefetch_near(u32 entity, u32 step) const {
  const Entity& s = entities_[entity];
  if (s.switch_ports == 0) {
    const u32 last = s.node_queue.last;
    if (step == 0) {
      ports_.prefetch(s.first_port);
      ports_.prefetch_states(s.first_port, 1);
      if (last != List::none) pool_.prefetch(last);
    } else if (step == 1 && last != List::none) {
      pool_.prefetch(pool_[last].next);
    }
    return;
  }
  if (step == 0) {
    engine::prefetch(&masks_[s.first_mask]);
    ports_.prefetch_states(s.first_port, s.switch_ports);
    const Tick* const idle = &idle_until_[s.first_port];
    for (u32 port = 0; port < s.switch_ports; port += 8) engine::prefetch(idle + port);
  } else {
    if (keeps_arrivals_) {
      engine::for_bits(&masks_[s.first_mask], channel_words(s),
                       [&](u32 channel) { ports_.prefetch(s.first_port + channel / channels_); });
    }
    Tick next = never;
    for_due_inputs(s, kernel_->now(), next, [&](u32 input) {
      pool_.prefetch(ports_.queues(s.first_port + input));
      ports_.prefetch(s.first_port + input);
    });
  }
}

template <class Host>
template <class Event>
requires requires(const Event& event) { event.port; }
inline void CellNetwork<Host>::prefetch_near(const Event& event) const {
  const Entity& s = entities_[event.entity];
  const u32 port = s.first_port + event.port;
  if constexpr (std::is_same_v<Event, Arrival>) {
    engine::prefetch(&masks_[s.first_mask]);
    engine::prefetch(&idle_until_[port]);
    ports_.prefetch_input(port);
  } else {
    ports_.prefetch(port);
    ports_.prefetch_credits(port);
  }
}

template <class Host>
inline void CellNetwork<Host>::absorb(Tick tick, const Wake& e) {
  Entity& s = entities_[e.entity];
  if (s.wake != tick) return;  // an earlier one came, and ordered what was needed
  s.wake = never;
  kernel_->touch(e.entity);
}

template <class Host>
inline void CellNetwork<Host>::wake_at(u32 entity, Tick when) {
  Entity& s = entities_[entity];
  if (s.wake <= when) return;
  s.wake = when;
  kernel_->schedule(when, Wake{entity});
}

template <class Host>
inline void CellNetwork<Host>::act(Tick tick, u32 entity) {
  Entity& s = entities_[entity];
  if (live_ != nullptr && faults_changed_at_ == tick) [[unlikely]]
    route_again(entity, tick);
  if (s.has_node != 0) {
    if (s.free_space.take(tick)) host_.space(*this, tick, entity);
    if constexpr (Host::acts) host_.act(*this, tick, entity);
  }
  with_reduction_unit(entity, [&](auto unit) { unit.go_on(tick), unit.send(tick, true); });
  if (s.waiting != 0) send_from_node(entity, tick);
  if (s.switch_ports != 0) {
    if (s.retry != 0) [[unlikely]]
      look_again(entity);
    if (keeps_arrivals_) route_due(entity, tick);
    match(entity, tick);
    if (remote_occupancy_.used()) [[unlikely]]
      notify_neighbours(entity, tick);
  }
  with_reduction_unit(entity, [&](auto unit) { unit.send(tick, false), unit.go_on(tick); });
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
inline void CellNetwork<Host>::notify_neighbours(u32 entity, Tick tick) {
  const Entity& s = entities_[entity];
  remote_occupancy_.send_updates(
      entity, [&](u32 port) { return port_at(s, port).waiting_cells; },
      [&](u32 over, u32 port, u32 cells) {
        const Wire& wire = wire_at(s, over);
        kernel_->send(wire.peer, tick + wire.ticks,
                      OccupancyUpdate{0, static_cast<u16>(wire.peer_port), static_cast<u16>(port), cells}, entity);
      });
}

template <class Host>
inline void CellNetwork<Host>::arrive(Tick tick, const Arrival& e) {
  if (is_for_switches(e.packet)) [[unlikely]]
    return take_in(tick, e);
  const Entity& s = entities_[e.entity];
  if (live_ != nullptr) [[unlikely]] {
    if (const u32 event = loss_on_link(s, e.port, tick); event != not_lost)
      return discard(e.entity, e.port, e.packet, tick, event);
  }
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored.packet = e.packet;
  stored.ready_at = tick + switch_.routing_ticks;
  stored.candidates = stored.one;
  stored.output = 0;
  note(s, e.port, tick, e.packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::arrived, {e.entity, s.global, e.port * channels_ + e.packet.vc, tick, 0}, e.packet);
  Tick due = stored.ready_at;
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
  if (e.spacing == Credit::at_once) [[unlikely]] {
    add_credits(s, e.port, e.vc, static_cast<i32>(e.cells));
  } else {
    // The far input hands on one packet at a time: the credits of the one before are all here.
    add_credits(s, e.port, port.stream_vc, static_cast<i32>(port.stream_cells));
    port.stream_start = tick;
    port.stream_cells = e.cells;
    port.stream_spacing = e.spacing;
    port.stream_vc = e.vc;
  }
  if (port.awaited != 0) {
    port.awaited = 0;
    entities_[e.entity].retry = 1;
    kernel_->touch(e.entity);
  }
}

template <class Host>
inline void CellNetwork<Host>::put_on_link(u32 entity, u32 port, const Packet& packet, OnLink on, Tick begin,
                                           Tick late) {
  Entity& s = entities_[entity];
  const Wire& wire = wire_at(s, port);
  const Tick busy = Tick{packet.cells} * wire.cell_ticks;
  const bool inside = topology_.direct() && port >= s.switch_ports - 1U;  // between a router and the node in it
  if (inside) {
    record_hop();
  } else {
    record_link_start(busy);
  }
  ++s.work;
  if (details_ != nullptr) [[unlikely]] {
    details_->started(entity, port * channels_ + on.vc, busy);
    if (!inside) details_->taken(begin, busy);
  }
  const u16 links = static_cast<u16>(packet.state.links + (inside ? 0 : 1));
  const auto fill = [&](Packet& there) {
    there = packet;
    there.state.links = links;
    there.vc = on.vc;
    if (on.marked) [[unlikely]]
      there.marked = 1;
  };
  if (wire.to_node) {
    const Tick last = begin + Tick{packet.cells - 1U} * wire.cell_ticks + wire.ticks;
    kernel_->template send_filled<Taken>(wire.peer, last, entity, [&](Taken& event) { fill(event.packet); });
  } else {
    kernel_->template send_filled<Arrival>(wire.peer, begin + late + wire.ticks, entity, [&](Arrival& event) {
      event.port = wire.peer_port;
      fill(event.packet);
    });
  }
}

template <class Host>
inline void CellNetwork<Host>::route_due(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
    const u32 port = channel / channels_, vc = channel % channels_;
    List& list = unrouted(s, port, vc);
    while (!list.empty()) {
      if (pool_.first(list).ready_at > tick) return;
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
inline bool CellNetwork<Host>::find_route(u32 entity, u32 port, Stored<Packet>& stored, Tick tick,
                                          [[maybe_unused]] bool again) {
  const Entity& s = entities_[entity];
  Packet& packet = stored.packet;
  const NodeId to(packet.to);
  const bool direct = topology_.direct(), here = topology_.router_of(to).value() == s.global;
  const u32 base = first_channel(packet);
  const QueuePlace place = place_of(s, port, packet);
  if (!direct && here) {
    const u32 output = topology_.port_of(to);
    if (live_ != nullptr && !live_->detected_to_work(RouterId(s.global), output)) [[unlikely]]
      return false;
    stored.output = static_cast<u16>(output);
    stored.vc = static_cast<u8>(base + lane_to_node(packet, place));
  } else {
    const Routing& routing = routes(packet).routing();
    const OpenPaths* const paths = paths_of(packet.traffic_class);
    const PacketOnRoute on_route{NodeId(packet.from), to, packet.state};
    const bool decides = routes(packet).decides() && !here && !again;
    const RouteState undecided = packet.state;
    if (decides) {
      const Outputs outputs(*this, entity, base, tick);
      routing.decide(packet.state, place, NodeId(packet.from), to, outputs);
    }
    const Routes::Choices& choices = routes(packet).ask(place, on_route, paths);
    if (choices.cut_off) [[unlikely]] {
      if (!decides) return false;
      packet.state = undecided;  // the other path may work
      if (routes(packet).ask(place, on_route, paths).cut_off) return false;
    }
    if (choices.arrived) {  // to the node inside
      stored.output = static_cast<u16>(s.switch_ports - 1U);
      stored.vc = static_cast<u8>(base + lane_to_node(packet, place));
    } else if (choices.several) {
      stored.candidates = set_number(choices, base);
    } else {
      const u32 output = among_all(choices.outputs.empty() ? choices.escape : choices.outputs.front(), base);
      stored.output = static_cast<u16>(output / channels_);
      stored.vc = static_cast<u8>(output % channels_);
      // Where it may be routed again, it leaves when it crosses.
      if (live_ == nullptr) routing.leave(packet.state, place, stored.output, stored.vc - base);
    }
  }
  return true;
}

template <class Host>
inline bool CellNetwork<Host>::route(u32 entity, u32 port, u32 at, Tick tick, bool again) {
  const Entity& s = entities_[entity];
  Stored<Packet>& stored = pool_[at];
  if (!find_route(entity, port, stored, tick, again)) [[unlikely]] {
    if (!may_wait()) {
      discard(entity, port, stored.packet, tick, not_lost);
      pool_.give_back(at);
      return false;
    }
    stored.output = no_output;
    stored.vc = 0;
  } else if (!stored.has_choice()) {
    stored.ready_at += gap(s, port, stored.output, stored.packet.cells);
  }
  if (keeps_arrivals_) count_waiting(entity, stored, true);
  Tick& idle = idle_until_[s.first_port + port];
  idle = std::min(idle, std::max({stored.ready_at, tick, ports_.read_until(s.first_port + port)}));
  pool_.put(ports_.queues(s.first_port + port), at, numbering());
  engine::set_bit(inputs(s), port);
  return true;
}

template <class Host>
inline void CellNetwork<Host>::count_waiting(u32 entity, const Stored<Packet>& stored, bool waits) {
  const Entity& s = entities_[entity];
  for_outputs_waited_for(stored, [&](u32 output, u32 cells) {
    u32& waiting = port_at(s, output).waiting_cells;
    waiting = waits ? waiting + cells : waiting - cells;
    remote_occupancy_.changed(entity, output);
  });
}

template <class Host>
inline void CellNetwork<Host>::order_wake(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  Tick when = s.free_space.notify_at();
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
      if (live_ != nullptr && waits_for_repair(packet)) [[unlikely]]
        continue;
      for_node_channels(packet,
                        [&](u32 vc) { soonest = std::min(soonest, free_space_at(s, port, vc, packet.cells, tick)); });
    }
    if (soonest != never) when = std::min(when, std::max(soonest, ports_.busy_until(s.first_port + port)));
  }
  with_reduction_unit(entity, [&](auto unit) { when = std::min(when, unit.due(tick)); });
  bool waiting = s.waiting != 0;
  if (keeps_arrivals_) {
    engine::for_bits(newcomers(s), channel_words(s), [&](u32 channel) {
      waiting = true;
      const u32 port = channel / channels_, vc = channel % channels_;
      if (switch_.queues == Queues::fifo && has_queue(s, port, vc)) return;
      when = std::min(when, pool_.first(unrouted(s, port, vc)).ready_at);
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
    when = std::min(when, crossbar_.next_input);
  }
  if (settings_.every_cycle && waiting) [[unlikely]]
    when = tick + 1;
  if (when != never) wake_at(entity, std::max(when, tick + 1));
}

}  // namespace weft::models::cells
