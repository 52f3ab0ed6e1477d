// What becomes of messages in an IdealNetwork when nodes fail during the run: docs/faults.md has the rules. The way
// from NIC to NIC is one link, and lost is what leaves, or is on it, while one of its two ends does not work.
#pragma once

#include "models/machine/ideal/ideal_network_class.hpp"

namespace weft::models::ideal {

template <class Host>
template <class Event>
[[gnu::noinline]] bool IdealNetwork<Host>::lose_at_source(const Event& e, Tick tick) {
  const u32 lost = live_->loss_from(NodeId(global_id(e.entity)), tick - e.packet.age(tick));
  if (lost == LiveFaults::none && live_->known_to_work(NodeId(e.packet.to))) return false;
  ++statistics_.counters.dropped_at_source;
  record_gone(e, lost, tick);
  return true;
}

/// Hosts that tell each other something besides packets hand over messages that leave when they are generated.
template <class Host>
[[gnu::noinline]] bool IdealNetwork<Host>::lose_on_arrival(const Arrival& e, Tick tick) {
  Tick left = tick - e.packet.age(tick);
  if constexpr (!Signals<Host>) left = tick - costs_.alone(bytes_of(e.cells));
  u32 lost = live_->loss_from(NodeId(e.packet.from), left);
  if (lost == LiveFaults::none) lost = live_->loss_from(NodeId(e.packet.to), left);
  if (lost == LiveFaults::none) return false;
  statistics_.counters.network_time += tick;
  record_gone(e, lost, tick);
  return true;
}

/// By an event, or as its destination is known not to work.
template <class Host>
template <class Event>
void IdealNetwork<Host>::record_gone(const Event& e, u32 lost, Tick tick) {
  const u32 here = global_id(e.entity);
  if (lost != LiveFaults::none) {
    record_loss(tick, lost);
  } else {
    record_drop(tick, here, e.packet.from, e.packet.to);
  }
  count_drop(host_, e.packet);
  note(here, Place::drop, tick, e.packet.identity());
  if (details_ != nullptr) [[unlikely]]
    tell(e.packet.from == here ? PacketEvent::Kind::lost : PacketEvent::Kind::dropped, at(e, tick), e.packet);
}

}  // namespace weft::models::ideal
