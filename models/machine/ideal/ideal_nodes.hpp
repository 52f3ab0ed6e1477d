// Packets leave the nodes of an IdealNetwork.
#pragma once

#include <algorithm>
#include <limits>

#include "models/machine/ideal/ideal_network_class.hpp"

namespace weft::models::ideal {

template <class Host>
inline bool IdealNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 /*bits*/, u32 cells) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  NicState& nic = nics_[entity];
  if (nic.queued >= settings_.injection_capacity) {
    nic.free_space.refuse();
    return false;
  }
  Departure departure{entity, cells, sent};
  departure.packet.set_generated_at(tick);
  record_generated(at(departure, tick), 0, departure.packet);
  if (live_ != nullptr && lose_at_source(departure, tick)) [[unlikely]]
    return true;
  const Tick now = kernel_->now(), start = std::max(now, nic.next_send);
  nic.next_send = start + costs_.gap(bytes_of(cells));
  if (start == now) {
    depart(departure, now);
  } else {
    ++nic.queued;
    kernel_->schedule(start, departure);
  }
  return true;
}

template <class Host>
inline void IdealNetwork<Host>::depart(const Departure& e, Tick tick) {
  const u64 bytes = bytes_of(e.cells);
  record_injected(at(e, tick), e.packet);
  count_link(e.entity, tick, costs_.gap(bytes));
  kernel_->send(address_of(e.packet.to), tick + costs_.alone(bytes), Arrival{0, e.cells, e.packet}, e.entity);
}

template <class Host>
inline void IdealNetwork<Host>::post(u32 entity, const HostPacket& sent, Tick tick, Tick arrival, u64 bytes) {
  WEFT_ASSERT(arrival >= tick + settings_.link_ticks);
  if (arrival - tick > Packet::tick_mask) [[unlikely]]
    fail_too_long(bytes, arrival - tick);
  constexpr u64 most_cells = std::numeric_limits<u32>::max();
  const u64 cells = std::max<u64>(1, (bytes + settings_.phit_bytes - 1) / settings_.phit_bytes);
  Arrival message{entity, static_cast<u32>(std::min(cells, most_cells)), sent};
  message.packet.set_generated_at(tick);
  record_generated(at(message, tick), 0, message.packet);
  if (live_ != nullptr && lose_at_source(message, tick)) [[unlikely]]
    return;
  record_injected(at(message, tick), message.packet);
  count_link(entity, tick, costs_.gap(bytes));
  kernel_->send(address_of(message.packet.to), arrival, message, entity);
}

/// The NIC of a node is the only link that there is; in reports it is that of the node inside the router.
template <class Host>
inline void IdealNetwork<Host>::count_link(u32 entity, Tick tick, Tick busy) {
  ++nics_[entity].work;
  record_link_start(busy);
  if (details_ == nullptr) [[likely]]
    return;
  details_->started(entity, settings_.link_channels(), busy);
  details_->taken(tick, busy);
}

}  // namespace weft::models::ideal
