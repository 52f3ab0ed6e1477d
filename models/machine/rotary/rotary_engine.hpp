// The second phase of a RotaryNetwork's tick: packets go from buffer to buffer, into output stages and onto links, and
// from input stages into the rings.
#pragma once

#include "engine/random.hpp"
#include "models/machine/rotary/rotary_network_class.hpp"

namespace weft::models::rotary {

template <class Host>
inline void RotaryNetwork<Host>::act(Tick tick, u32 entity) {
  RouterState& s = state(entity);
  if (s.free_space.take(tick)) host_.space(*this, tick, entity);
  if constexpr (Host::acts) host_.act(*this, tick, entity);
  bool moved = false;
  if (faults_changed_at_ == tick) [[unlikely]]
    moved = look_through(entity, tick);
  if (s.packets != 0 && tick >= s.next_step) {
    moved |= move_buffers(entity, tick);
    moved |= start_links(entity, tick);
    for (u32 place = 0; place < circle_.places(); ++place) moved |= move_in(entity, place, tick);
    if (moved) s.next_step = tick + settings_.cycle_ticks;
  }
  order_wake(entity, tick, moved);
}

template <class Host>
inline bool RotaryNetwork<Host>::move_buffers(u32 entity, Tick tick) {
  bool moved = false;
  for (u32 ring = 0; ring < rings; ++ring) {
    for (u32 place = 0; place < circle_.places(); ++place) {
      const BufferState& b = buffer(entity, ring, place);
      if (b.count == 0) continue;
      const u32 first = b.turn;
      for (u32 k = 0; k < lanes; ++k) moved |= move_lane(entity, ring, place, first ^ k, tick);
    }
  }
  return moved;
}

/// The first packet of a lane: to the output stage if it may, else on to the next buffer, unless that is fuller.
template <class Host>
inline bool RotaryNetwork<Host>::move_lane(u32 entity, u32 ring, u32 place, u32 lane, Tick tick) {
  BufferState& b = buffer(entity, ring, place);
  Lane& from = b.lane[lane];
  if (from.queue.count == 0 || from.read_until > tick || lane_ready(entity, ring, place, lane)[from.queue.head] > tick)
    return false;
  const Packet packet = lane_packets(entity, ring, place, lane)[from.queue.head];
  Fifo& out = port(entity, place).out[ring];
  const u32 next = circle_.next(ring, place);
  bool leaves = false;
  if (b.out_until <= tick && out.count < ring_.output && may_leave(entity, place, packet)) {
    leaves = true;
  } else if (const u32 there = buffer(entity, ring, next).count;
             b.ring_until > tick || there >= ring_.buffer || there > b.count) {
    return false;
  }
  take_off(from.queue, ring_.buffer);
  from.read_until = tick + settings_.packet_ticks;
  --b.count;
  b.turn = lane ^ 1;
  ++state(entity).free[ring];
  if (leaves) {
    b.out_until = tick + settings_.packet_ticks;
    out_packets(entity, place, ring)[slot_behind(out, ring_.output)] = packet;
    ++out.count;
  } else {
    b.ring_until = tick + settings_.packet_ticks;
    enter(entity, ring, next, packet, tick);
  }
  return true;
}

template <class Host>
inline bool RotaryNetwork<Host>::may_leave(u32 entity, u32 place, const Packet& packet) const {
  if (port(entity, place).there == 0) return false;
  const u32 nearer = record_.profitable(packet.state.word());
  if (is_node(place)) return nearer == 0;
  if ((nearer >> circle_.port(place) & 1) != 0) return true;
  if (nearer == 0 || entered(packet) <= most_entered_) return false;
  if (live_ != nullptr && is_cut_off(entity, packet)) [[unlikely]]
    return false;
  // A coin, so that packets of a full network do not follow each other in circles for ever.
  const u64 what = u64{packet.state.links} << 32 | u64{entered(packet)} << 8 | place;
  return (engine::remix(packet.identity(), what) & 1) != 0;
}

/// Into the lane that no packet is coming into, or the shorter one.
template <class Host>
inline void RotaryNetwork<Host>::enter(u32 entity, u32 ring, u32 place, const Packet& packet, Tick tick) {
  BufferState& b = buffer(entity, ring, place);
  const bool free[lanes] = {b.lane[0].written_until <= tick, b.lane[1].written_until <= tick};
  u32 lane = free[0] ? 0 : 1;
  if (free[0] && free[1]) lane = b.lane[1].queue.count < b.lane[0].queue.count ? 1 : 0;
  Lane& to = b.lane[lane];
  const u32 slot = slot_behind(to.queue, ring_.buffer);
  Packet& copy = lane_packets(entity, ring, place, lane)[slot] = packet;
  set_entered(copy, entered(copy) == most_counted ? most_entered_ + 1 : entered(copy) + 1);
  lane_ready(entity, ring, place, lane)[slot] = tick + ring_.buffer_ticks;
  ++to.queue.count;
  to.written_until = tick + settings_.packet_ticks;
  ++b.count;
  --state(entity).free[ring];
}

template <class Host>
inline bool RotaryNetwork<Host>::start_links(u32 entity, Tick tick) {
  bool moved = false;
  for (u32 place = 0; place < circle_.places(); ++place) {
    PortState& p = port(entity, place);
    if (p.there == 0) {
      moved |= hand_back(entity, place, tick);
      continue;
    }
    for (u32 k = 0; k < rings && p.credits != 0 && p.busy_until <= tick; ++k) {
      const u32 ring = p.out[p.turn].count != 0 ? p.turn : p.turn ^ 1U;
      if (p.out[ring].count == 0) break;
      const Packet packet = out_packets(entity, place, ring)[p.out[ring].head];
      take_off(p.out[ring], ring_.output);
      p.turn = static_cast<u8>(ring ^ 1U);
      --state(entity).packets;
      leave_by(entity, place, packet, ring, tick);
      moved = true;
    }
  }
  return moved;
}

template <class Host>
inline void RotaryNetwork<Host>::leave_by(u32 entity, u32 place, const Packet& packet, u32 ring, Tick tick) {
  RouterState& s = state(entity);
  PortState& p = port(entity, place);
  if (is_node(place)) {
    if (!settings_.multiple_consumption) p.busy_until = tick + settings_.packet_ticks;
    record_hop();
    kernel_->schedule(tick + settings_.packet_ticks, Consumed{entity, ring, packet});
    return;
  }
  const u32 output = circle_.port(place);
  p.busy_until = tick + settings_.packet_ticks;
  --p.credits;
  ++s.work;
  record_link_start();
  if (details_ != nullptr) [[unlikely]] {
    details_->started(entity, output);
    details_->taken(tick, settings_.packet_ticks);
  }
  Arrival arrival{0, output ^ 1U, packet};
  const u64 word = packet.state.word();
  if ((record_.profitable(word) >> output & 1) != 0) {
    arrival.packet.state.set_word(record_.after(word, output));
  } else {  // it goes where it did not want to: by a shortest route from there
    const u32 there = lattice_.peer(RouterId(s.global), output).id;
    const u64 bits = engine::remix(packet.identity(), packet.state.links);
    arrival.packet.state.set_word(record_.pack(lattice_.record(NodeId(there), NodeId(packet.to), bits)));
  }
  set_entered(arrival.packet, 0);
  ++arrival.packet.state.links;
  kernel_->send(peers_[entity * (circle_.places() - 1) + output], tick + settings_.link_ticks + settings_.switch_ticks,
                arrival, entity);
}

template <class Host>
inline bool RotaryNetwork<Host>::lets_in(u32 entity, u32 ring, u32 place) const {
  const u32 there = buffer(entity, ring, circle_.next(ring, place)).count;
  const u32 before = circle_.places() * ring_.buffer - state(entity).free[ring];
  if (there >= ring_.buffer) return false;
  return is_node(place) ? before + 2 <= most_in_ring_ && there <= ring_.injection : before + 1 <= most_in_ring_;
}

template <class Host>
inline u32 RotaryNetwork<Host>::buffers_to_output(u32 entity, u32 ring, u32 place, const Packet& packet) const {
  u32 buffers = 0;
  do {
    place = circle_.next(ring, place);
    ++buffers;
  } while (buffers < circle_.places() && !may_leave(entity, place, packet));
  return buffers;
}

/// The ring whose first buffer has fewer packets; of equal ones the one that comes to an output sooner, or either.
template <class Host>
inline u32 RotaryNetwork<Host>::better_ring(u32 entity, u32 place, const Packet& packet) const {
  u32 full[rings], far[rings];
  for (u32 ring = 0; ring < rings; ++ring) {
    full[ring] = buffer(entity, ring, circle_.next(ring, place)).count;
    far[ring] = buffers_to_output(entity, ring, place, packet);
  }
  if (full[0] != full[1]) return full[1] < full[0] ? 1 : 0;
  if (far[0] != far[1]) return far[1] < far[0] ? 1 : 0;
  return static_cast<u32>(engine::remix(packet.identity(), state(entity).global) & 1);
}

template <class Host>
inline bool RotaryNetwork<Host>::move_in(u32 entity, u32 place, Tick tick) {
  PortState& p = port(entity, place);
  if (p.in.count == 0 || p.stage_until > tick) return false;
  if (live_ != nullptr && is_node(place)) [[unlikely]] {
    if (is_cut_off(entity, in_packets(entity, place)[p.in.head])) return false;  // it waits for a repair
  }
  const bool open[rings] = {lets_in(entity, 0, place), lets_in(entity, 1, place)};
  if (!open[0] && !open[1]) return false;
  RouterState& s = state(entity);
  const Packet packet = in_packets(entity, place)[p.in.head];
  const u32 ring = open[0] && open[1] ? better_ring(entity, place, packet) : (open[0] ? 0U : 1U);
  const u32 input = circle_.port(place);
  take_off(p.in, in_capacity(place));
  p.stage_until = tick + settings_.packet_ticks;
  if (is_node(place)) {
    record_injected(at(entity, input, tick, packet), packet);
    record_hop();
    s.free_space.left(tick + settings_.cycle_ticks);
  } else {
    kernel_->send(peers_[entity * (circle_.places() - 1) + input], tick + settings_.link_ticks, Credit{0, input ^ 1U},
                  entity);
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::left, at(entity, input, tick, packet), packet);
  }
  enter(entity, ring, circle_.next(ring, place), packet, tick);
  return true;
}

template <class Host>
inline void RotaryNetwork<Host>::order_wake(u32 entity, Tick tick, bool moved) {
  RouterState& s = state(entity);
  Tick when = s.free_space.notify_at();
  if (s.packets != 0) {
    if (moved || settings_.every_cycle) {
      when = std::min(when, tick + settings_.cycle_ticks);
    } else {
      when = std::min(when, tick < s.next_step ? s.next_step : next_chance(entity, tick));
    }
  }
  if (when != never) wake_at(entity, when);
}

template <class Host>
inline Tick RotaryNetwork<Host>::next_chance(u32 entity, Tick tick) const {
  Tick when = never;
  const auto see = [&](Tick over) {
    if (over > tick) when = std::min(when, over);
  };
  for (u32 place = 0; place < circle_.places(); ++place) {
    const PortState& p = port(entity, place);
    if (p.in.count != 0 || p.there == 0) see(p.stage_until);
    if ((p.out[0].count | p.out[1].count) != 0) see(p.busy_until);
    for (u32 ring = 0; ring < rings; ++ring) {
      const BufferState& b = buffer(entity, ring, place);
      if (b.count == 0) continue;
      see(b.out_until);
      see(b.ring_until);
      for (u32 lane = 0; lane < lanes; ++lane) {
        const Lane& l = b.lane[lane];
        if (l.queue.count == 0) continue;
        see(l.read_until);
        see(lane_ready(entity, ring, place, lane)[l.queue.head]);
      }
    }
  }
  return when;
}

template <class Host>
inline bool RotaryNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  RouterState& s = state(entity);
  const u32 place = circle_.place(circle_.node());
  if (port(entity, place).in.count >= settings_.injection_capacity) {
    s.free_space.refuse();
    return false;
  }
  Packet packet;
  static_cast<HostPacket&>(packet) = sent;
  packet.set_generated_at(tick);
  packet.state.set_word(record_.pack(lattice_.record(NodeId(packet.from), NodeId(packet.to), bits)));
  record_generated(at(entity, circle_.node(), tick, packet), circle_.node(), packet);
  if (settings_.faults && !topology_.works(NodeId(packet.to))) [[unlikely]] {
    drop_at_source(entity, packet, tick);
    return true;
  }
  if (live_ != nullptr) [[unlikely]] {
    const NodeId here(s.global);
    const bool works = live_->works(here);
    if (!works || (!may_wait() && is_cut_off(entity, packet))) {
      record_gone(entity, packet, circle_.node(), true, works ? not_lost : live_->failure(here), tick);
      return true;
    }
  }
  append_in(entity, place, packet);
  return true;
}

template <class Host>
inline void RotaryNetwork<Host>::deliver(const Consumed& e, Tick tick) {
  const Tick whole = tick - settings_.cycle_ticks;  // the cycle in which the tail was consumed
  const u32 distance = e.packet.state.links;
  hand_over(*this, host_, at(e.entity, circle_.node(), tick, e.packet), {whole, distance, distance}, e.packet);
}

}  // namespace weft::models::rotary
