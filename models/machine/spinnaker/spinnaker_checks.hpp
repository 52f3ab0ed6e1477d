// A SpinnakerNetwork counts anew what it keeps account of: packets and credits.
#pragma once

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/spinnaker/spinnaker_network_class.hpp"

namespace weft::models::spinnaker {

template <class Host>
void SpinnakerNetwork<Host>::check_drained() const {
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const RouterState& s = state(e);
    WEFT_ASSERT(s.pending == 0 && s.waiting == 0);
    if (reinjection_.any()) WEFT_ASSERT(monitor_of(e).count == 0);
    for (u32 i = 0; i < ends; ++i) WEFT_ASSERT(s.count[i] == 0);
    for (u32 p = 0; p < links; ++p) {
      const bool link = topology_.peer(RouterId(s.global), p).kind != Peer::Kind::none;
      WEFT_ASSERT(s.credits[p] == (link ? settings_.queue_packets : 0));
    }
  }
}

/// What an output counts as used behind it is: packets on their way there, packets there, and credits on their way
/// back.
template <class Host>
void SpinnakerNetwork<Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  std::vector<u32> found(std::size_t{layout_.entities()} *
                         links);  // [entity * links + input]; of a credit the far end's
  const auto far = [this](u32 entity, u32 output) {
    return peers_[entity * links + output].value * links + opposite(output);
  };
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for (u32 i = 0; i < links; ++i) found[e * links + i] += state(e).count[i];
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival>) ++found[event.entity * links + event.input];
    if constexpr (std::is_same_v<Event, Credit>) ++found[far(event.entity, event.output)];
  });
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for (u32 p = 0; p < links; ++p) {
      const bool link = topology_.peer(RouterId(global_id(e)), p).kind != Peer::Kind::none;
      const u32 credits = state(e).credits[p];
      if (credits == (link ? settings_.queue_packets - found[far(e, p)] : 0)) continue;
      throw Bug(fmt::format("tick {}: output {} of router {} has {} credits, but {} of {} places behind it are taken",
                            now, p, global_id(e), credits, link ? found[far(e, p)] : 0, settings_.queue_packets));
    }
  }
  check_totals(in_flight(now), now);
}

}  // namespace weft::models::spinnaker
