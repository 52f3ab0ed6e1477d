// A CellNetwork counts anew what it keeps account of: packets, cells, credits, shared buffers, what windows hold.
#pragma once

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
void CellNetwork<Host>::check_drained() const {
  WEFT_ASSERT(std::ranges::all_of(other_node_queues_, &List::empty));
  for (const Entity& s : entities_) {
    WEFT_ASSERT(s.waiting == 0 && s.node_queue.empty());
    for_each_stored(s, [](u32, const auto&) { WEFT_ASSERT(false); });
  }
  for_each_in_reduction([](const auto&) { WEFT_ASSERT(false); });
}

/// What the channels of a shared buffer have taken of what no channel has alone.
template <class Host>
void CellNetwork<Host>::check_shared(const Entity& s, u32 port, Tick now) const {
  const Port& p = port_at(s, port);
  i64 taken = 0, taken_now = 0;
  for (u32 vc = 0; vc < channels_; ++vc) {
    const i64 own = credits(s, port, vc);
    taken += std::max<i64>(0, -own);
    taken_now += std::max<i64>(0, -own - p.streamed(vc, now));
  }
  const i64 left = shared_left_[s.first_port + port];
  if (taken + left == shared_cells() && taken_now <= shared_cells()) return;
  throw Bug(
      fmt::format("tick {}: port {} of entity {} has {} shared cells left, but its channels take {} of {}, {} with all "
                  "credits that have come",
                  now, port, s.global, left, taken, shared_cells(), taken_now));
}

/// Sources count as in flight what is in the network and what is not acknowledged.
template <class Host>
void CellNetwork<Host>::check_windows(Tick now) const {
  u64 cells = 0;
  const auto see = [&](const Packet& packet) { cells += is_for_switches(packet) ? 0U : packet.cells; };
  for (const Entity& s : entities_) for_each_stored(s, [&](u32, const auto& stored) { see(stored.packet); });
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival> || std::is_same_v<Event, Taken>) see(event.packet);
    if constexpr (std::is_same_v<Event, Answer>) cells += event.cells;
  });
  if (cells == congestion_.in_flight()) return;
  throw Bug(fmt::format("tick {}: {} cells are in flight or not acknowledged, but nodes count {}", now, cells,
                        congestion_.in_flight()));
}

/// What an output counts as used behind it: cells on their way there, cells there, and those whose credits are on their
/// way back.
template <class Host>
void CellNetwork<Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  std::vector<i64> taken(std::size_t{ports_.size()} * channels_);  // [port, channel]: of the output before the buffer
  std::vector<u32> waiting(ports_.size());
  const auto before = [this](const Entity& s, u32 port, u32 vc) -> std::size_t {
    const Wire& wire = wire_at(s, port);
    return std::size_t{entities_[wire.peer.value].first_port + wire.peer_port} * channels_ + vc;
  };
  for (const Entity& s : entities_) {
    for_each_stored(
        s, [&](u32 port, const auto& stored) { taken[before(s, port, stored.packet.vc)] += stored.packet.cells; });
    for (u32 input = 0; input < s.switch_ports; ++input) {
      pool_.for_each_in(ports_.queues(s.first_port + input), [&](const auto& stored) {
        for_outputs_waited_for(stored, [&](u32 output, u32 cells) { waiting[s.first_port + output] += cells; });
      });
    }
    u32 at_node = 0;
    for_each_at_node(static_cast<u32>(&s - entities_.data()), [&](const auto&) { ++at_node; });
    if (at_node != s.waiting)
      throw Bug(
          fmt::format("tick {}: {} packets wait at entity {}, which counts {}", now, at_node, s.global, s.waiting));
    for (u32 p = 0; p < ports_of(s); ++p) {
      const Port& port = port_at(s, p);
      if (keeps_arrivals_ && port.waiting_cells != waiting[s.first_port + p]) {
        throw Bug(fmt::format("tick {}: {} cells wait for port {} of entity {}, which counts {}", now,
                              waiting[s.first_port + p], p, s.global, port.waiting_cells));
      }
      taken[std::size_t{s.first_port + p} * channels_ + port.stream_vc] += port.stream_cells;
    }
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    const Entity& s = entities_[event.entity];
    if constexpr (std::is_same_v<Event, Arrival>) taken[before(s, event.port, event.packet.vc)] += event.packet.cells;
    if constexpr (std::is_same_v<Event, Credit>)
      taken[std::size_t{s.first_port + event.port} * channels_ + event.vc] += event.cells;
  });
  for (const Entity& s : entities_) {
    for (u32 p = 0; p < ports_of(s); ++p) {
      const Wire& wire = wire_at(s, p);
      const bool buffered = wire.connected && !wire.to_node;
      for (u32 vc = 0; vc < channels_; ++vc) {
        const std::size_t at = std::size_t{s.first_port + p} * channels_ + vc;
        const i64 free = credits(s, p, vc);
        const i64 capacity = wire.to_node ? unlimited_credits : buffered ? own_cells() : 0;
        if (free + taken[at] == capacity) continue;
        throw Bug(
            fmt::format("tick {}: channel {} of port {} of entity {} has {} credits, but {} of {} cells are taken", now,
                        vc, p, s.global, free, taken[at], capacity));
      }
      if (switch_.shared && buffered) check_shared(s, p, now);
    }
  }
  if (congestion_.acknowledges()) check_windows(now);
  check_totals(this->in_flight(now), now);
}

}  // namespace weft::models::cells
