// What becomes of packets in a RotaryNetwork when links, routers and nodes fail during the run: docs/faults.md has the
// rules. A packet that is lost on a link is gone when its header would have arrived, and its place free then.
#pragma once

#include <algorithm>

#include "models/machine/rotary/rotary_network_class.hpp"

namespace weft::models::rotary {

template <class Host>
void RotaryNetwork<Host>::faults_changed(Tick now) {
  faults_changed_at_ = now;
  suspects_->change(now, [&](u32 entity) {
    look_at_ports(entity);
    wake_at(entity, now);
  });
  if (!parts_->update()) return;
  for (u32 e = 0; e < layout_.entities(); ++e) {
    if (state(e).packets != 0) wake_at(e, now);
  }
}

template <class Host>
void RotaryNetwork<Host>::look_at_ports(u32 entity) {
  const NodeId node(global_id(entity));
  port(entity, circle_.place(circle_.node())).there = topology_.works(node) && live_->detected_to_work(node) ? 1 : 0;
  const RouterId router(global_id(entity));
  for (u32 p = 0; p + 1 < circle_.places(); ++p) {
    const bool link = topology_.peer(router, p).kind != Peer::Kind::none;
    port(entity, circle_.place(p)).there = link && live_->detected_to_work(router, p) ? 1 : 0;
  }
}

template <class Host>
bool RotaryNetwork<Host>::is_cut_off(u32 entity, const Packet& packet) const {
  const u32 here = global_id(entity);
  if (packet.to == here) return port(entity, circle_.place(circle_.node())).there == 0;
  if (live_->looks_whole()) return false;
  return !parts_->reaches(here, packet.to);
}

template <class Host>
u32 RotaryNetwork<Host>::loss_on_link(const Arrival& e, Tick tick) const {
  if (!suspects_->holds(e.entity, e.input, tick)) return not_lost;
  const Peer from = topology_.peer(RouterId(global_id(e.entity)), e.input);
  return live_->loss(RouterId(from.id), from.port, tick - travel(), tick);
}

template <class Host>
[[gnu::noinline]] bool RotaryNetwork<Host>::lose_on_arrival(const Arrival& e, Tick tick) {
  const u32 event = loss_on_link(e, tick);
  if (event == not_lost && (may_wait() || !is_cut_off(e.entity, e.packet))) return false;
  const u32 ports = circle_.places() - 1;
  kernel_->send(peers_[e.entity * ports + e.input], tick + settings_.link_ticks, Credit{0, e.input ^ 1U}, e.entity);
  record_gone(e.entity, e.packet, e.input, false, event, tick);
  return true;
}

template <class Host>
[[gnu::noinline]] bool RotaryNetwork<Host>::lose_at_node(const Consumed& e, Tick tick) {
  const u32 event = live_->loss_from(NodeId(global_id(e.entity)), tick - settings_.packet_ticks);
  if (event == not_lost) return false;
  record_gone(e.entity, e.packet, circle_.node(), false, event, tick);
  return true;
}

/// `gone` says of which packets, and records them; `ready`: beside the packets, or null. Returns how many there were.
template <class Host>
template <class Gone>
u32 RotaryNetwork<Host>::take_out(Packet* packets, Tick* ready, Fifo& queue, u32 capacity, Gone&& gone) {
  u32 kept = 0;
  for (u32 k = 0; k < queue.count; ++k) {
    const u32 from = (queue.head + k) % capacity, to = (queue.head + kept) % capacity;
    if (gone(packets[from])) continue;
    packets[to] = packets[from];
    if (ready != nullptr) ready[to] = ready[from];
    ++kept;
  }
  const u32 taken = queue.count - kept;
  queue.count = static_cast<u16>(kept);
  return taken;
}

template <class Host>
[[gnu::noinline]] bool RotaryNetwork<Host>::look_through(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  const NodeId node(s.global);
  const RouterId router(s.global);
  const u32 by_router = live_->works(router) ? not_lost : live_->failure(router);
  const u32 by_node = live_->works(node) ? not_lost : live_->failure(node);
  const bool waits = may_wait();
  const u32 before = s.packets;
  const auto gone = [&](u32 input, bool at_source) {
    return [&, input, at_source](const Packet& packet) {
      const u32 event = at_source ? by_node : by_router;
      if (event == not_lost && (waits || !is_cut_off(entity, packet))) return false;
      record_gone(entity, packet, input, at_source, event, tick);
      return true;
    };
  };
  for (u32 place = 0; place < circle_.places(); ++place) {
    PortState& p = port(entity, place);
    const u32 input = circle_.port(place);
    const u32 of_input =
        take_out(in_packets(entity, place), nullptr, p.in, in_capacity(place), gone(input, is_node(place)));
    s.packets -= of_input;
    for (u32 k = 0; k < of_input; ++k) {
      if (is_node(place)) {
        s.free_space.left(tick + settings_.cycle_ticks);
      } else {
        kernel_->send(peers_[entity * (circle_.places() - 1) + input], tick + settings_.link_ticks,
                      Credit{0, input ^ 1U}, entity);
      }
    }
    for (u32 ring = 0; ring < rings; ++ring) {
      s.packets -= take_out(out_packets(entity, place, ring), nullptr, p.out[ring], ring_.output, gone(input, false));
      BufferState& b = buffer(entity, ring, place);
      for (u32 lane = 0; lane < lanes; ++lane) {
        const u32 of_lane = take_out(lane_packets(entity, ring, place, lane), lane_ready(entity, ring, place, lane),
                                     b.lane[lane].queue, ring_.buffer, gone(input, false));
        b.count -= of_lane;
        s.free[ring] += of_lane;
        s.packets -= of_lane;
      }
    }
  }
  return s.packets != before;
}

/// One place of the ring stays free, so that packets go on round it.
template <class Host>
bool RotaryNetwork<Host>::hand_back(u32 entity, u32 place, Tick tick) {
  PortState& p = port(entity, place);
  if ((p.out[0].count | p.out[1].count) == 0 || is_node(place)) return false;
  bool moved = false;
  for (u32 k = 0; k < rings && std::max(p.busy_until, p.stage_until) <= tick; ++k) {
    const u32 ring = p.turn ^ k;
    const u32 next = circle_.next(ring, place);
    if (p.out[ring].count == 0 || buffer(entity, ring, next).count >= ring_.buffer || state(entity).free[ring] < 2)
      continue;
    const Packet packet = out_packets(entity, place, ring)[p.out[ring].head];
    take_off(p.out[ring], ring_.output);
    p.turn = static_cast<u8>(ring ^ 1U);
    p.stage_until = tick + settings_.packet_ticks;
    enter(entity, ring, next, packet, tick);
    const u32 event = live_->detected_failure(RouterId(global_id(entity)), circle_.port(place));
    ++statistics_.fault_cost(event).rerouted;
    moved = true;
  }
  return moved;
}

template <class Host>
void RotaryNetwork<Host>::record_gone(u32 entity, const Packet& packet, u32 input, bool at_source, u32 lost,
                                      Tick tick) {
  if (lost != not_lost) {
    record_loss(tick, lost);
  } else {
    record_drop(tick, state(entity).global, packet.from, packet.to);
  }
  if (at_source) {
    ++statistics_.counters.dropped_at_source;
  } else {
    statistics_.counters.network_time += tick;
  }
  count_drop(host_, packet);
  if constexpr (requires { host_.lost(tick, NodeId(0), packet, true); }) {
    if (live_ != nullptr) host_.lost(tick, NodeId(packet.from), packet, lost == not_lost);
  }
  note(entity, Place::drop, tick, packet);
  if (details_ != nullptr) [[unlikely]]
    tell(at_source ? PacketEvent::Kind::lost : PacketEvent::Kind::dropped, at(entity, input, tick, packet), packet);
}

}  // namespace weft::models::rotary
