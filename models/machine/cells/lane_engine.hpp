// Outputs with VL arbitration: what sends at a node and in a switch, in place of the matching. docs/infiniband.md has
// the rules.
#pragma once

#include <algorithm>

#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

/// The lane of the link to a packet's node. Only arbitration asks: such links have no credits.
template <class Host>
inline u32 CellNetwork<Host>::lane_to_node(const Packet& packet, const QueuePlace& place) {
  if (!arbitration_.used()) [[likely]]
    return 0;
  if (topology_.direct()) return routes(packet).routing().node_link_channels(packet.state, true).first;
  const Routes::Choices& choices = routes(packet).ask(place, {NodeId(packet.from), NodeId(packet.to), packet.state});
  return choices.outputs.front() % class_channels_;
}

template <class Host>
inline void CellNetwork<Host>::send_by_lane(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  const u32 port = s.switch_ports;
  u32 available = 0;
  for (u32 vl = 0; vl < channels_; ++vl) {
    const u32 before = first_to_send(entity, vl, tick);
    if (before == List::none) continue;
    const u32 cells = pool_[pool_[before].next].packet.cells;
    if (free_space(s, port, vl, tick) >= i64{cells}) available |= u32{1} << vl;
  }
  if (available == 0) return;
  const arbiter::VlArbitration::Choice won = arbitration_.choose(s.first_port + port, available);
  const u32 before = first_to_send(entity, won.vl, tick);
  arbitration_.charge(s.first_port + port, won, pool_[pool_[before].next].packet.cells);
  send(entity, won.vl, before, won.vl, tick);
}

/// Serves the outputs one after the other.
template <class Host>
inline void CellNetwork<Host>::arbitrate(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  offers_.clear();
  engine::for_bits(inputs(s), input_words(s), [&](u32 input) {
    if (idle_until_[s.first_port + input] > tick && !settings_.every_cycle) return;
    if (ports_.read_until(s.first_port + input) > tick) return;
    pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
      const Stored<Packet>& first = pool_[at];
      if (earliest(s, input, first, tick) > tick) return;
      const u32 of_input = switch_.queues == Queues::fifo ? first.packet.vc : first.vc;
      offers_.push_back({first.output, first.vc, input * channels_ + of_input, at});
    });
  });
  if (offers_.empty()) return;
  const u32 ports = s.switch_ports, first_output = s.matches % ports;
  ++s.matches;
  const auto turn = [&](const Offer& offer) {
    return offer.output >= first_output ? offer.output - first_output : offer.output + ports - first_output;
  };
  std::ranges::sort(offers_, [&](const Offer& a, const Offer& b) {
    return turn(a) != turn(b) ? turn(a) < turn(b) : a.queue < b.queue;
  });
  for (std::size_t begin = 0; begin < offers_.size();) {
    std::size_t end = begin;
    while (end < offers_.size() && offers_[end].output == offers_[begin].output) ++end;
    serve_output(entity, std::span(offers_).subspan(begin, end - begin), tick);
    begin = end;
  }
}

/// One of the packets that are available for an output goes, if the input of any is still idle.
template <class Host>
inline void CellNetwork<Host>::serve_output(u32 entity, std::span<const Offer> offers, Tick tick) {
  const Entity& s = entities_[entity];
  const auto idle = [&](const Offer& offer) {
    return ports_.read_until(s.first_port + offer.queue / channels_) <= tick;
  };
  u32 available = 0;
  for (const Offer& offer : offers) available |= idle(offer) ? u32{1} << offer.vl : 0;
  if (available == 0) return;
  const u32 output = offers.front().output, port = s.first_port + output, queues = s.switch_ports * channels_;
  const arbiter::VlArbitration::Choice won = arbitration_.choose(port, available);
  const Offer* best = nullptr;
  for (const Offer& offer : offers) {
    if (offer.vl != won.vl || !idle(offer)) continue;
    const auto turns = [&](const Offer& some) { return arbitration_.turns_to(port, won.vl, some.queue, queues); };
    if (best == nullptr || turns(offer) < turns(*best)) best = &offer;
  }
  arbitration_.charge(port, won, pool_[best->at].packet.cells);
  arbitration_.move_behind(port, won.vl, best->queue, queues);
  unqueue(entity, best->queue / channels_, {best->at, best->output, best->vl});
  transfer(entity, best->queue / channels_, best->at, tick);
}

}  // namespace weft::models::cells
