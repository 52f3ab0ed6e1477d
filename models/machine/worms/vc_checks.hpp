// Counts the cells and credits of a VcNetwork anew, and looks whether channels and packets agree on who holds whom.
#pragma once

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/worms/vc_network_class.hpp"

namespace weft::models::worms {

template <class Host>
void VcNetwork<Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  std::vector<i64> cells(channels_.size()), credits(channels_.size());  // on their way to a lane, and to a channel
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    const auto at = [&](u32 port, u32 vc) {
      return (std::size_t{entities_[event.entity].first_port} + port) * vcs_ + vc;
    };
    if constexpr (std::is_same_v<Event, Arrival>) ++cells[at(event.port, event.packet.vc)];
    if constexpr (std::is_same_v<Event, Cell>) ++cells[at(event.port, event.vc)];
    if constexpr (std::is_same_v<Event, Credit>) ++credits[at(event.port, event.vc)];
  });
  const auto complain = [&](const Entity& s, u32 channel, const std::string& what) {
    throw Bug(fmt::format("tick {}: channel {} of port {} of entity {}: {}", now, channel % vcs_, channel / vcs_,
                          s.global, what));
  };
  for (const Entity& s : entities_) {
    for (u32 number = 0; number < ports_of(s) * vcs_; ++number) {
      const Wire& wire = wire_at(s, number / vcs_);
      const Channel& channel = channel_at(s, number);
      if (channel.holder < Channel::draining && number < lanes_of(s) && lane_at(s, channel.holder).target != number)
        complain(s, number, fmt::format("it is held by lane {}, which holds another", channel.holder));
      if (!wire.connected || wire.to_node) continue;
      const Entity& far = entities_[wire.peer.value];
      const u32 lane = wire.peer_port * vcs_ + number % vcs_;
      const i64 there = lane_at(far, lane).cells, coming = cells[std::size_t{far.first_port} * vcs_ + lane];
      const i64 returning = credits[std::size_t{s.first_port} * vcs_ + number];
      if (channel.credits >= 0 && channel.credits + there + coming + returning == vc_.buffer_cells) continue;
      complain(
          s, number,
          fmt::format("{} credits, {} on their way, {} cells behind it and {} on their way are not the {} that fit "
                      "in",
                      channel.credits, returning, there, coming, vc_.buffer_cells));
    }
    for (u32 number = 0; number < lanes_of(s); ++number) {
      const Lane& lane = lane_at(s, number);
      if (lane.target != Lane::none && channel_at(s, lane.target).holder != number)
        complain(s, number, "its packet holds a channel that does not know of it");
    }
  }
  check_totals(this->in_flight(now), now);
}

}  // namespace weft::models::worms
