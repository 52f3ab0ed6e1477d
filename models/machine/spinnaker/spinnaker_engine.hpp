// The second phase of a SpinnakerNetwork's tick: the merge hands the engine a packet, which leaves by its outputs, goes
// round, or is dropped.
#pragma once

#include "models/machine/spinnaker/spinnaker_network_class.hpp"

namespace weft::models::spinnaker {

template <class Host>
inline void SpinnakerNetwork<Host>::act(Tick tick, u32 entity) {
  RouterState& s = state(entity);
  if (faults_changed_at_ == tick) [[unlikely]]
    lose_what_failed(entity, tick);
  if (s.free_space.take(tick)) host_.space(*this, tick, entity);
  if constexpr (Host::acts) host_.act(*this, tick, entity);
  if (reinjection_.any()) [[unlikely]]
    look(entity, tick);
  if (s.pending == 0 && s.waiting != 0 && tick >= s.next_take) take(entity, tick);
  if (s.pending != 0) serve(entity, tick);
  if (reinjection_.any()) [[unlikely]]
    follow(entity);
  order_wake(entity, tick);
}

template <class Host>
inline void SpinnakerNetwork<Host>::take(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  const u32 input = MergeTree::pick(s.waiting, s.turns);
  if (input == monitor) return take_back(entity, tick);
  Packet& packet = engine_packet(entity);
  packet = queue(entity, input)[s.head[input]];
  if (++s.head[input] >= capacity(input)) s.head[input] = 0;
  if (--s.count[input] == 0) s.waiting &= static_cast<u8>(~(1U << input));
  s.input = static_cast<u8>(input);
  s.since = tick;
  s.next_take = tick + settings_.cycle_ticks;
  if (input != injection) {
    kernel_->send(peers_[entity * links + input], tick + settings_.link_ticks, Credit{0, opposite(input)}, entity);
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::left, at(entity, input, tick, packet), packet);
  } else {
    record_injected(at(entity, input, tick, packet), packet);
    record_hop();
    if (tables_) packet.state.set_word(tick);
    s.free_space.left(s.next_take);
  }
  s.pending = route(entity, input);
  if (s.pending == 0) return drop(entity, local, tick);
  if (const u32 copies = static_cast<u32>(std::popcount(s.pending)) - 1; copies != 0) {
    statistics_.counters.copies += copies;
    statistics_.counters.network_time -= copies * packet.state.word();
  }
}

template <class Host>
inline u8 SpinnakerNetwork<Host>::route(u32 entity, u32 input) {
  const Packet& packet = engine_packet(entity);
  const Leg leg{packet.state.phase};
  u32 ahead = input == injection ? u32{local} : opposite(input);
  state(entity).detours = leg != Leg::first && patience_.detours ? 1 : 0;
  if (leg == Leg::first) return static_cast<u8>(1U << second_side(ahead));
  if (!tables_) {
    const u32 ports = record_.profitable(packet.state.word());
    return ports == 0 ? u8{1U << local} : static_cast<u8>(ports & (0U - ports));
  }
  if (const u8 outputs = tables_->find(entity, packet.from); outputs != 0) return outputs;
  if (input == injection) return 0;
  if (leg == Leg::second) ahead = detoured_port(ahead);
  return static_cast<u8>(1U << ahead);
}

/// Each copy goes as soon as it can; what waits too long goes round or is dropped.
template <class Host>
inline void SpinnakerNetwork<Host>::serve(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  const auto for_pending = [&](auto&& f) {
    for (u32 left = s.pending; left != 0; left &= left - 1) f(static_cast<u32>(std::countr_zero(left)));
  };
  const auto done = [&](u32 output) { s.pending &= static_cast<u8>(~(1U << output)); };
  for_pending([&](u32 output) {
    if (!open(s, output, tick)) return;
    leave_by(entity, output, tick);
    done(output);
  });
  if (s.pending != 0 && s.detours != 0 && tick >= s.since + patience_.detour) {
    for_pending([&](u32 output) {
      if (output == local || !open(s, first_side(output), tick)) return;
      go_round(entity, output, tick);
      done(output);
    });
  }
  if (s.pending != 0 && tick >= s.since + patience_.drop) {
    give_up(entity, tick);
  }
  if (s.pending == 0) s.next_take = tick + settings_.cycle_ticks;
}

template <class Host>
inline void SpinnakerNetwork<Host>::give_up(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  u32 kept_outputs = 0;
  if (reinjection_.any() && monitor_of(entity).count < reinjection_.packets) {
    for (u32 left = s.pending; left != 0; left &= left - 1) {
      const u32 output = static_cast<u32>(std::countr_zero(left));
      if (may_leave(entity, output)) kept_outputs |= 1U << output;
    }
  }
  for (u32 left = s.pending & ~kept_outputs; left != 0; left &= left - 1)
    drop(entity, static_cast<u32>(std::countr_zero(left)), tick);
  s.pending = 0;
  if (kept_outputs == 0) return;
  MonitorState& m = monitor_of(entity);
  u32 slot = m.head + m.count++;
  if (slot >= reinjection_.packets) slot -= reinjection_.packets;
  Packet& packet = kept(entity)[slot] = engine_packet(entity);
  packet.state.phase = static_cast<u8>(packet.state.phase | s.input << 4);
  packet.state.spare = static_cast<u8>(kept_outputs);
}

template <class Host>
inline bool SpinnakerNetwork<Host>::may_leave(u32 entity, u32 output) const {
  const RouterState& s = state(entity);
  if (output == local) return topology_.works(NodeId(s.global)) && (s.closed >> local & 1) == 0;
  const auto works = [&](u32 port) {
    return topology_.peer(RouterId(s.global), port).kind != Peer::Kind::none && (s.closed >> port & 1) == 0;
  };
  return works(output) || (s.detours != 0 && works(first_side(output)));
}

template <class Host>
inline void SpinnakerNetwork<Host>::take_back(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  MonitorState& m = monitor_of(entity);
  Packet& packet = engine_packet(entity) = kept(entity)[m.head];
  if (++m.head >= reinjection_.packets) m.head = 0;
  --m.count;
  m.offered = 0;
  s.waiting &= static_cast<u8>(~(1U << monitor));
  s.pending = packet.state.spare;
  s.input = static_cast<u8>(packet.state.phase >> 4);
  packet.state.spare = 0;
  packet.state.phase &= 15;
  s.detours = Leg{packet.state.phase} != Leg::first && patience_.detours ? 1 : 0;
  s.since = tick;
  s.next_take = tick + settings_.cycle_ticks;
  record_hop();
}

template <class Host>
inline void SpinnakerNetwork<Host>::look(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  MonitorState& m = monitor_of(entity);
  if (m.count == 0 || m.offered != 0 || s.pending != 0 || tick % reinjection_.period != 0) return;
  m.offered = m.sending = 1;
  s.waiting |= static_cast<u8>(1U << monitor);
}

template <class Host>
inline void SpinnakerNetwork<Host>::follow(u32 entity) {
  RouterState& s = state(entity);
  MonitorState& m = monitor_of(entity);
  if (m.sending == 0 || m.offered != 0) return;
  if (m.count == 0 || s.pending != 0) {
    m.sending = 0;
    return;
  }
  m.offered = 1;
  s.waiting |= static_cast<u8>(1U << monitor);
}

template <class Host>
inline void SpinnakerNetwork<Host>::leave_by(u32 entity, u32 output, Tick tick) {
  if (output == local) return consume(entity, tick);
  Packet copy = engine_packet(entity);
  if (Leg{copy.state.phase} == Leg::first) {
    copy.state.phase = static_cast<u8>(Leg::second);  // its hop was counted off when it went round
  } else {
    copy.state.phase = static_cast<u8>(Leg::normal);
    if (!tables_) copy.state.set_word(record_.after(copy.state.word(), output));
  }
  start_link(entity, output, copy, tick);
}

template <class Host>
inline void SpinnakerNetwork<Host>::go_round(u32 entity, u32 output, Tick tick) {
  if ((state(entity).closed >> output & 1) != 0) [[unlikely]]
    ++statistics_.fault_cost(live_->detected_failure(RouterId(global_id(entity)), output)).rerouted;
  Packet copy = engine_packet(entity);
  copy.state.phase = static_cast<u8>(Leg::first);
  if (!tables_) copy.state.set_word(record_.after(copy.state.word(), output));
  start_link(entity, first_side(output), copy, tick);
}

template <class Host>
inline void SpinnakerNetwork<Host>::start_link(u32 entity, u32 output, const Packet& packet, Tick tick) {
  RouterState& s = state(entity);
  s.busy_until[output] = tick + settings_.packet_ticks;
  --s.credits[output];
  ++s.work;
  record_link_start();
  if (details_ != nullptr) [[unlikely]] {
    details_->started(entity, output);
    details_->taken(tick, settings_.packet_ticks);
  }
  Arrival arrival{0, opposite(output), packet};
  ++arrival.packet.state.links;
  const Tick whole = tick + settings_.link_ticks + settings_.packet_ticks - settings_.cycle_ticks;
  kernel_->send(peers_[entity * links + output], whole + settings_.switch_ticks, arrival, entity);
}

template <class Host>
inline void SpinnakerNetwork<Host>::consume(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  if (!settings_.multiple_consumption) s.busy_until[local] = tick + settings_.packet_ticks;
  record_hop();
  Consumed consumed{entity, s.input, engine_packet(entity)};
  if (tables_) consumed.packet.to = s.global;
  kernel_->schedule(tick + settings_.packet_ticks, consumed);
}

/// A copy that waited too long for `output`, or whose source has no targets.
template <class Host>
inline void SpinnakerNetwork<Host>::drop(u32 entity, u32 output, Tick tick) {
  const Packet& packet = engine_packet(entity);
  const u32 here = state(entity).global;
  u32 to = packet.to;
  if (tables_) to = output == local ? here : lattice_.peer(RouterId(here), output).id;
  record_drop(tick, here, packet.from, to);
  count_drop(host_, packet);
  tell_host(packet, !may_leave(entity, output), tick);
  statistics_.counters.network_time += tick;
  note(entity, Place::output_of_drop + output, tick, packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::dropped, at(entity, state(entity).input, tick, packet), packet);
}

template <class Host>
inline void SpinnakerNetwork<Host>::order_wake(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  Tick when = s.free_space.notify_at();
  if (s.pending != 0) {
    // In short steps: if a credit comes first, what was ordered for much later would outlive the run.
    when = std::min({when, next_chance(s, tick), tick + most_sleep_cycles * settings_.cycle_ticks});
  } else {
    s.awaited = 0;
    if (s.waiting != 0) when = std::min(when, s.next_take);
  }
  if (reinjection_.any()) [[unlikely]] {
    const MonitorState& m = monitor_of(entity);
    if (m.count != 0 && m.offered == 0) when = std::min(when, (tick / reinjection_.period + 1) * reinjection_.period);
  }
  if (settings_.every_cycle && (s.pending | s.waiting) != 0) [[unlikely]]
    when = std::min(when, tick + settings_.cycle_ticks);
  if (when != never) wake_at(entity, when);
}

template <class Host>
inline Tick SpinnakerNetwork<Host>::next_chance(RouterState& s, Tick tick) const {
  Tick when = s.since + patience_.drop;
  const bool round = s.detours != 0 && tick >= s.since + patience_.detour;
  if (s.detours != 0 && !round) when = std::min(when, s.since + patience_.detour);
  u32 awaited = s.pending;
  if (round) {
    for (u32 left = s.pending & ((1U << links) - 1); left != 0; left &= left - 1)
      awaited |= 1U << first_side(static_cast<u32>(std::countr_zero(left)));
  }
  for (u32 left = awaited; left != 0; left &= left - 1) {
    const u32 output = static_cast<u32>(std::countr_zero(left));
    if (has_credit(s, output)) when = std::min(when, s.busy_until[output]);
  }
  s.awaited = static_cast<u8>(awaited);
  return when;
}

template <class Host>
inline bool SpinnakerNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  RouterState& s = state(entity);
  if (s.count[injection] >= settings_.injection_capacity) {
    s.free_space.refuse();
    return false;
  }
  Packet packet;
  static_cast<HostPacket&>(packet) = sent;
  packet.set_generated_at(tick);
  if (live_ != nullptr && !live_->works(NodeId(s.global))) [[unlikely]] {
    record_generated(at(entity, injection, tick, packet), injection, packet);
    lose_at_source(entity, packet, live_->failure(NodeId(s.global)), tick);
    return true;
  }
  if (tables_) {
    packet.to = packet.from;
  } else {
    packet.state.set_word(record_.pack(lattice_.record(NodeId(packet.from), NodeId(packet.to), bits)));
  }
  append(entity, injection, packet, settings_.injection_capacity);
  record_generated(at(entity, injection, tick, packet), injection, packet);
  return true;
}

template <class Host>
inline void SpinnakerNetwork<Host>::deliver(const Consumed& e, Tick tick) {
  const Tick whole = tick - settings_.cycle_ticks;  // the cycle in which the tail was consumed
  const u32 distance = e.packet.state.links;
  hand_over(*this, host_, at(e.entity, e.input, tick, e.packet), {whole, distance, distance}, e.packet);
}

}  // namespace weft::models::spinnaker
