// An IdealNetwork is set up, saved and restored, sampled for reports, and counted anew.
#pragma once

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/ideal/ideal_network_class.hpp"

namespace weft::models::ideal {

template <class Host>
IdealNetwork<Host>::IdealNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host)
    : Endpoints(topology, settings, layout),
      host_(host),
      costs_(costs_of(settings.own)),
      live_(settings.live_faults),
      nics_(layout.entities()) {
  WEFT_ASSERT(topology.joins_all());
  if (live_ != nullptr) check_rules(*live_);
  for (u32 e = 0; e < layout.entities(); ++e) nics_[e].global = layout.router(e).value();
}

template <class Host>
void IdealNetwork<Host>::set_injection(bool open, Tick now) {
  MachineStatistics::allow_injection(open, [&](u32 entity) {
    if (nics_[entity].free_space.open(now)) kernel_->schedule(now, Wake{entity});
  });
}

template <class Host>
void IdealNetwork<Host>::save(u32 entity, std::byte* to) const {
  save_record(entity, std::as_bytes(std::span(&nics_[entity], 1)), to);
}

template <class Host>
void IdealNetwork<Host>::load(u32 entity, std::span<const std::byte> from) {
  load_record(entity, global_id(entity), from, std::as_writable_bytes(std::span(&nics_[entity], 1)));
}

template <class Host>
void IdealNetwork<Host>::count_details(Details& details) {
  details_ = &details;
  // The router's port to its node, which is behind its links, of which there are none; and the node's to the router.
  for (u32 e = 0; e < layout_.entities(); ++e) details.add_entity(global_id(e), 2 * settings_.link_channels());
}

template <class Host>
void IdealNetwork<Host>::sample_queues(QueueSizes& sizes) const {
  for (const NicState& nic : nics_) sizes.see_injection(nic.global, 0, nic.queued);
}

template <class Host>
InFlight IdealNetwork<Host>::in_flight(Tick now) const {
  InFlight found;
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    constexpr bool waits = std::is_same_v<Event, Departure>, travels = std::is_same_v<Event, Arrival>;
    if constexpr (waits || travels) {
      ++(waits ? found.queued : found.network);
      found.oldest_age = std::max(found.oldest_age, event.packet.age(now));
    }
  });
  return found;
}

template <class Host>
void IdealNetwork<Host>::check_drained() const {
  for (const NicState& nic : nics_) WEFT_ASSERT(nic.queued == 0);
}

template <class Host>
void IdealNetwork<Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  std::vector<u32> found(nics_.size());
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Departure>) ++found[event.entity];
  });
  for (u32 e = 0; e < nics_.size(); ++e) {
    if (nics_[e].queued == found[e]) continue;
    throw Bug(fmt::format("tick {}: {} packets wait at node {}, but {} will leave it", now, nics_[e].queued,
                          global_id(e), found[e]));
  }
  check_totals(in_flight(now), now);
}

}  // namespace weft::models::ideal
