// Packets that wait at the inputs of a switch: which outputs and VCs they may take, and when.
#pragma once

#include <algorithm>

#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
inline bool CellNetwork<Host>::has_queue(const Entity& s, u32 input, u64 number) const {
  bool found = false;
  pool_.for_each_first(ports_.queues(s.first_port + input),
                       [&](u32 at) { found = found || numbering()(pool_[at]) == number; });
  return found;
}

template <class Host>
inline Tick CellNetwork<Host>::gap(const Entity& s, u32 input, u32 output, u32 cells) const {
  if (!gaps_) [[likely]]
    return 0;
  const Tick in = wire_at(s, input).cell_ticks, out = wire_at(s, output).cross_ticks;
  return Tick{cells - 1U} * (switch_.store_and_forward ? in : in > out ? in - out : 0);
}

template <class Host>
inline Tick CellNetwork<Host>::crossing_at(const Entity& s, u32 output, u32 cells, Tick ready) const {
  const Tick idle = std::max(ready, ports_.busy_until(s.first_port + output));
  if (switch_.output_cells == 0) [[likely]]
    return idle;
  return std::max(idle, output_free_at(s, output, cells));
}

template <class Host>
inline Tick CellNetwork<Host>::candidate_at(const Entity& s, u32 input, u32 output, const Stored<Packet>& first) const {
  const u32 cells = first.packet.cells;
  return crossing_at(s, output, cells, first.ready_at + gap(s, input, output, cells));
}

template <class Host>
inline u32 CellNetwork<Host>::queued_cells(u32 first) const {
  u32 cells = 0;
  pool_.for_each_behind(first, [&](const Stored<Packet>& stored) { cells += stored.packet.cells; });
  return cells;
}

template <class Host>
template <class F>
inline void CellNetwork<Host>::for_node_channels(const Packet& packet, F&& f) const {
  const Routing::Channels some = routes(packet).routing().node_link_channels(packet.state, false);
  const u32 first = first_channel(packet) + some.first;
  const u32 end = first + std::min(some.count, class_channels_ - some.first);
  for (u32 vc = first; vc < end; ++vc) f(vc);
}

template <class Host>
template <class See>
inline void CellNetwork<Host>::for_candidates(const Stored<Packet>& first, See&& see) const {
  const CandidateSet& set = candidate_sets_[first.candidates];
  bool credits = false;
  for (const u32 candidate : set.outputs) credits = see(candidate) || credits;
  if (set.escape != Candidates::none && !credits) see(set.escape);
}

template <class Host>
template <class F>
inline void CellNetwork<Host>::for_outputs_waited_for(const Stored<Packet>& stored, F&& f) const {
  if (!stored.has_choice()) [[likely]] {
    if (stored.output != no_output) [[likely]]
      f(stored.output, stored.packet.cells);
    return;
  }
  const CandidateSet& set = candidate_sets_[stored.candidates];
  for (const u32 output : set.ports) f(output, set.part_of(stored.packet.cells));
}

template <class Host>
inline u64 CellNetwork<Host>::draws_of(const HostPacket& sent, u64 bits) const {
  if (switch_.by_flow) [[unlikely]]
    return engine::remix(settings_.seed, u64{sent.from} << 32 | sent.to);
  return (bits & ~u64{0xff}) | sent.ties;
}

template <class Host>
inline bool CellNetwork<Host>::keeps_arrivals() const {
  return switch_.queues == Queues::fifo || congestion_.marks() ||
         std::ranges::any_of(routes_, [](const auto& routes) { return routes->decides(); });
}

template <class Host>
inline u32 CellNetwork<Host>::among_all(u32 candidate, u32 base) const {
  if (channels_ == class_channels_) [[likely]]
    return candidate;
  return candidate / class_channels_ * channels_ + base + candidate % class_channels_;
}

template <class Host>
inline u32 CellNetwork<Host>::set_number(const Routes::Choices& choices, u32 base) {
  if (arbitration_.used()) throw Bug("switches with VL arbitration take routes without a choice");
  const u32 escape = choices.escape == Candidates::none ? Candidates::none : among_all(choices.escape, base);
  if (channels_ == class_channels_) [[likely]]
    return candidate_sets_.number_of(choices.outputs, escape);
  of_class_.clear();
  for (const u32 candidate : choices.outputs) of_class_.push_back(among_all(candidate, base));
  return candidate_sets_.number_of(of_class_, escape);
}

template <class Host>
inline void CellNetwork<Host>::find_candidates(const Entity& s, u32 port, Stored<Packet>& stored) {
  const Packet& packet = stored.packet;
  if (live_ != nullptr) static_cast<void>(follow_sweeps());
  const PacketOnRoute on_route{NodeId(packet.from), NodeId(packet.to), packet.state};
  const OpenPaths* const paths = paths_of(packet.traffic_class);
  stored.candidates = set_number(routes(packet).ask(place_of(s, port, packet), on_route, paths), first_channel(packet));
}

/// From when on the buffer of an output holds a packet besides what the link has not taken by then.
template <class Host>
inline Tick CellNetwork<Host>::output_free_at(const Entity& s, u32 output, u32 cells) const {
  const Tick through = link_through_[s.first_port + output];
  const Tick before = settings_.switch_ticks + Tick{switch_.output_cells - cells} * wire_at(s, output).cell_ticks;
  return through > before ? through - before : 0;
}

template <class Host>
inline Tick CellNetwork<Host>::earliest(const Entity& s, u32 input, const Stored<Packet>& first, Tick now) {
  if (first.has_choice()) [[unlikely]]
    return earliest_of_candidates(s, input, first, now);
  if (first.output == no_output) [[unlikely]]
    return never;
  const u32 cells = first.packet.cells;
  const Tick idle = crossing_at(s, first.output, cells, first.ready_at);
  return std::max(idle, free_space_at(s, first.output, first.vc, cells, now));
}

/// With an escape that is shut as long as another candidate has credits: who takes those looks again (order_wake).
template <class Host>
inline Tick CellNetwork<Host>::earliest_of_candidates(const Entity& s, u32 input, const Stored<Packet>& first,
                                                      Tick now) {
  const u32 cells = first.packet.cells;
  Tick soonest = never;
  for_candidates(first, [&](u32 candidate) {
    const u32 output = candidate / channels_;
    const Tick there = free_space_at(s, output, candidate % channels_, cells, now);
    if (there != never) soonest = std::min(soonest, std::max(candidate_at(s, input, output, first), there));
    return there <= now;
  });
  return soonest;
}

template <class Host>
inline Tick CellNetwork<Host>::look(const Entity& s, u32 input, Tick tick) {
  const Tick idle = ports_.read_until(s.first_port + input);
  if (idle > tick) return idle;
  Tick soonest = never;
  awaits_ = false;
  pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
    const Tick when = earliest(s, input, pool_[at], tick);
    soonest = std::min(soonest, std::max(when, tick + 1));
  });
  if (awaits_) engine::set_bit(inputs_in_wait(s), input);
  return soonest;
}

template <class Host>
inline u32 CellNetwork<Host>::lane_of(const Stored<Packet>& first) const {
  if (switch_.queues == Queues::fifo) return first.packet.vc;
  return first.has_choice() ? channels_ + first.packet.traffic_class : first.vc;
}

template <class Host>
inline void CellNetwork<Host>::offer(MostSpace& best, const Entity& s, u32 port, u32 vc, Tick now) {
  const i64 there = free_space(s, port, vc, now);
  if (there > best.most) best = {there, port * channels_ + vc};
}

template <class Host>
inline auto CellNetwork<Host>::counts_of_class(const Packet& packet) -> ClassCounts& {
  const bool of_class = switch_.classes > 1;
  return statistics_.counters
      .classes[of_class ? packet.traffic_class : routes(packet).routing().service_level(packet.state)];
}

}  // namespace weft::models::cells
