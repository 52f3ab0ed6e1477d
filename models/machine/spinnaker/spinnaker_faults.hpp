// What becomes of packets in a SpinnakerNetwork when links, routers and nodes fail during the run: docs/faults.md has
// the rules. A packet that is lost on a link is gone when it would have been whole behind it, and its place free then.
#pragma once

#include <bit>

#include "models/machine/spinnaker/spinnaker_network_class.hpp"

namespace weft::models::spinnaker {

template <class Host>
void SpinnakerNetwork<Host>::faults_changed(Tick now) {
  faults_changed_at_ = now;
  suspects_->change(now, [&](u32 entity) {
    close_outputs(entity);
    wake_at(entity, now);
  });
}

template <class Host>
void SpinnakerNetwork<Host>::close_outputs(u32 entity) {
  RouterState& s = state(entity);
  const RouterId router(s.global);
  u32 closed = live_->detected_to_work(NodeId(s.global)) ? 0 : 1U << local;
  for (u32 p = 0; p < links; ++p) {
    if (topology_.peer(router, p).kind == Peer::Kind::router && !live_->detected_to_work(router, p)) closed |= 1U << p;
  }
  s.closed = static_cast<u8>(closed);
}

template <class Host>
[[gnu::noinline]] bool SpinnakerNetwork<Host>::lose_on_link(const Arrival& e, Tick tick) {
  const Peer from = topology_.peer(RouterId(global_id(e.entity)), e.input);
  const u32 event = live_->loss(RouterId(from.id), from.port, tick - travel(), tick);
  if (event == LiveFaults::none) return false;
  kernel_->send(peers_[e.entity * links + e.input], tick + settings_.link_ticks, Credit{0, opposite(e.input)},
                e.entity);
  lose(e.entity, e.packet, e.input, Place::output_of_drop + ends + e.input, event, tick);
  return true;
}

template <class Host>
[[gnu::noinline]] bool SpinnakerNetwork<Host>::lose_at_node(const Consumed& e, Tick tick) {
  const u32 event = live_->loss_from(NodeId(global_id(e.entity)), tick - settings_.packet_ticks);
  if (event == LiveFaults::none) return false;
  lose(e.entity, e.packet, e.input, Place::output_of_drop + local, event, tick);
  return true;
}

template <class Host>
[[gnu::noinline]] void SpinnakerNetwork<Host>::lose_what_failed(u32 entity, Tick tick) {
  RouterState& s = state(entity);
  const NodeId node(s.global);
  if (live_->works(node)) return;
  const u32 of_node = live_->failure(node);
  for (; s.count[injection] != 0; --s.count[injection]) {
    lose_at_source(entity, queue(entity, injection)[s.head[injection]], of_node, tick);
    if (++s.head[injection] >= capacity(injection)) s.head[injection] = 0;
    s.free_space.left(tick + settings_.cycle_ticks);
  }
  s.waiting &= static_cast<u8>(~(1U << injection));
  if (live_->works(RouterId(s.global))) return;
  const u32 event = live_->failure(RouterId(s.global));
  for (u32 input = 0; input < links; ++input) lose_queue(entity, input, event, tick);
  const auto lose_copies = [&](const Packet& packet, u32 input, u32 outputs) {
    for (u32 left = outputs; left != 0; left &= left - 1) {
      const u32 output = static_cast<u32>(std::countr_zero(left));
      lose(entity, packet, input, Place::output_of_drop + output, event, tick);
    }
  };
  lose_copies(engine_packet(entity), s.input, s.pending);
  s.pending = s.waiting = 0;
  if (!reinjection_.any()) return;
  MonitorState& m = monitor_of(entity);
  for (; m.count != 0; --m.count) {
    const Packet& packet = kept(entity)[m.head];
    lose_copies(packet, packet.state.phase >> 4, packet.state.spare);
    if (++m.head >= reinjection_.packets) m.head = 0;
  }
  m.offered = m.sending = 0;
}

template <class Host>
void SpinnakerNetwork<Host>::lose_queue(u32 entity, u32 input, u32 event, Tick tick) {
  RouterState& s = state(entity);
  for (; s.count[input] != 0; --s.count[input]) {
    lose(entity, queue(entity, input)[s.head[input]], input, Place::output_of_drop + ends + input, event, tick);
    if (++s.head[input] >= capacity(input)) s.head[input] = 0;
    kernel_->send(peers_[entity * links + input], tick + settings_.link_ticks, Credit{0, opposite(input)}, entity);
  }
}

template <class Host>
void SpinnakerNetwork<Host>::lose(u32 entity, const Packet& packet, u32 input, u32 place, u32 event, Tick tick) {
  record_loss(tick, event);
  count_drop(host_, packet);
  tell_host(packet, false, tick);
  statistics_.counters.network_time += tick;
  note(entity, place, tick, packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::dropped, at(entity, input, tick, packet), packet);
}

template <class Host>
void SpinnakerNetwork<Host>::lose_at_source(u32 entity, const Packet& packet, u32 event, Tick tick) {
  record_loss(tick, event);
  ++statistics_.counters.dropped_at_source;
  count_drop(host_, packet);
  tell_host(packet, false, tick);
  note(entity, Place::drop, tick, packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::lost, at(entity, injection, tick, packet), packet);
}

}  // namespace weft::models::spinnaker
