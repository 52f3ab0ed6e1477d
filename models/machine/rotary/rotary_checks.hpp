// A RotaryNetwork counts anew what it keeps account of: packets, free places of rings, credits.
#pragma once

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/rotary/rotary_network_class.hpp"

namespace weft::models::rotary {

template <class Host>
void RotaryNetwork<Host>::check_drained() const {
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const RouterState& s = state(e);
    WEFT_ASSERT(s.packets == 0);
    for (u32 ring = 0; ring < rings; ++ring) WEFT_ASSERT(s.free[ring] == circle_.places() * ring_.buffer);
    for (u32 p = 0; p + 1 < circle_.places(); ++p) {
      const bool link = topology_.peer(RouterId(global_id(e)), p).kind != Peer::Kind::none;
      WEFT_ASSERT(port(e, circle_.place(p)).credits == (link ? settings_.queue_packets : 0));
    }
  }
}

/// What an output counts as used behind it is: packets on their way there, packets there, and credits on their way
/// back.
template <class Host>
void RotaryNetwork<Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  const u32 ports = circle_.places() - 1;
  std::vector<u32> found(std::size_t{layout_.entities()} * ports);  // [entity * ports + input]; of credits the far one
  const auto far = [&](u32 entity, u32 output) {
    return peers_[entity * ports + output].value * ports + (output ^ 1U);
  };
  for (u32 e = 0; e < layout_.entities(); ++e) {
    u32 packets = 0;
    for_each_packet(e, [&](const Packet&, u32) { ++packets; });
    if (packets != state(e).packets)
      throw Bug(fmt::format("tick {}: router {} has {} packets, not {}", now, global_id(e), packets, state(e).packets));
    for (u32 ring = 0; ring < rings; ++ring) {
      u32 free = circle_.places() * ring_.buffer;
      for (u32 place = 0; place < circle_.places(); ++place) {
        const BufferState& b = buffer(e, ring, place);
        if (b.count != u32{b.lane[0].queue.count} + b.lane[1].queue.count || b.count > ring_.buffer)
          throw Bug(
              fmt::format("tick {}: buffer {} of ring {} of router {} miscounts", now, place, ring, global_id(e)));
        free -= b.count;
      }
      if (free != state(e).free[ring] || free == 0) {
        throw Bug(fmt::format("tick {}: ring {} of router {} has {} free places, not {} and never none", now, ring,
                              global_id(e), free, state(e).free[ring]));
      }
    }
    for (u32 p = 0; p < ports; ++p) found[e * ports + p] += port(e, circle_.place(p)).in.count;
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival>) ++found[event.entity * ports + event.input];
    if constexpr (std::is_same_v<Event, Credit>) ++found[far(event.entity, event.output)];
  });
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for (u32 p = 0; p < ports; ++p) {
      const bool link = topology_.peer(RouterId(global_id(e)), p).kind != Peer::Kind::none;
      const u32 credits = port(e, circle_.place(p)).credits;
      if (credits == (link ? settings_.queue_packets - found[far(e, p)] : 0)) continue;
      throw Bug(fmt::format("tick {}: output {} of router {} has {} credits, but {} of {} places behind it are taken",
                            now, p, global_id(e), credits, link ? found[far(e, p)] : 0, settings_.queue_packets));
    }
  }
  check_totals(in_flight(now), now);
}

}  // namespace weft::models::rotary
