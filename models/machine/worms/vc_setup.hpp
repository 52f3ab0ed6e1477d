// A VcNetwork is set up, saved and restored, sampled for reports.
#pragma once

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/state_records.hpp"
#include "models/machine/worms/vc_network_class.hpp"

namespace weft::models::worms {

template <class Host>
VcNetwork<Host>::VcNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host)
    : Endpoints(topology, settings, layout),
      vc_(vc_settings(settings)),
      vcs_(vc_.channels),
      routes_(topology, settings, settings.own.text("routing_mode")),
      candidate_sets_(vcs_),
      host_(host) {
  u32 ports = 1;
  for (u32 e = 0; e < layout_.entities(); ++e) {
    add_entity(e);
    ports = std::max<u32>(ports, entities_.back().switch_ports);
  }
  channel_asks_.fit(ports * vcs_, ports * vcs_);
  crossbar_asks_.fit(ports * vc_.input_speedup, ports);
}

template <class Host>
void VcNetwork<Host>::add_entity(u32 entity) {
  const EntityWires made = wires_of(topology_, settings_, layout_, entity, vc_.speedup);
  Entity s = this->entity_of(made, wires_.size());
  for (const Wire& wire : made.wires) {
    wires_.push_back(wire);
    const bool buffered = wire.connected && !wire.to_node;
    for (u32 vc = 0; vc < vcs_; ++vc)
      channels_.push_back({.credits = buffered ? static_cast<i32>(vc_.buffer_cells) : 0});
  }
  crossings_.resize(wires_.size());
  feeds_.resize(wires_.size() * vc_.input_speedup);
  lanes_.resize(wires_.size() * vcs_);
  s.first_mask = static_cast<u32>(masks_.size());
  masks_.resize(masks_.size() + std::size_t{3} * words_of(s));
  entities_.push_back(s);
}

/// Hands every piece of an entity's state to f(pointer, bytes), and every list to f(list), in one order.
template <class Host>
template <class Self, class F>
void VcNetwork<Host>::visit_state(Self& self, u32 entity, F&& f) {
  auto& s = self.entities_[entity];
  f(&s.wake, sizeof s.wake);
  f(&s.free_space, sizeof s.free_space);
  f(&s.node_busy_until, sizeof s.node_busy_until);
  f(&s.draws, sizeof s.draws);
  f(&s.work, sizeof s.work);
  f(&s.node_vc, sizeof s.node_vc);
  f(&s.node_sent, sizeof s.node_sent);
  f(&s.node_turn, sizeof s.node_turn);
  f(s.node_queue);
  const std::size_t ports = self.ports_of(s), first = s.first_port;
  f(&self.crossings_[first], ports * sizeof(Crossing));
  f(&self.feeds_[first * self.vc_.input_speedup], ports * self.vc_.input_speedup * sizeof(Feed));
  f(&self.channels_[first * self.vcs_], ports * self.vcs_ * sizeof(Channel));
  for (u32 number = 0; number < self.lanes_of(s); ++number) {
    auto& lane = self.lane_at(s, number);
    f(&lane.ready_at, sizeof lane.ready_at);
    f(&lane.cells, sizeof lane.cells);
    f(&lane.packets, sizeof lane.packets);
    f(&lane.sent, sizeof lane.sent);
    f(&lane.target, sizeof lane.target);
    f(&lane.first_choice, sizeof lane.first_choice);
    u8 asks = 0;
    if constexpr (std::is_const_v<Self>) asks = engine::test_bit(self.asking(s), number) ? 1 : 0;
    f(&asks, sizeof asks);
    if constexpr (!std::is_const_v<Self>) {
      if (asks != 0) engine::set_bit(self.asking(s), number);
    }
    f(lane.fifo);
  }
}

/// What follows from the state of an entity that a checkpoint had.
template <class Host>
void VcNetwork<Host>::find_again(u32 entity) {
  Entity& s = entities_[entity];
  for_each_at_node(entity, [&](const auto&) { ++s.waiting; });
  for (u32 number = 0; number < lanes_of(s); ++number) {
    Lane& lane = lane_at(s, number);
    if (lane.packets == 0) continue;
    lane.length = first_of(lane).packet.cells;
    if (lane.target != Lane::none) {
      lane.output = static_cast<u16>(lane.target / vcs_);
      if (lane.cells != 0) engine::set_bit(going(s), number);
    } else if (engine::test_bit(asking(s), number)) {
      find_candidates(s, number, first_of(lane));
    } else {
      engine::set_bit(to_route(s), number);
    }
  }
}

template <class Host>
template <class F>
void VcNetwork<Host>::for_each_at_node(u32 entity, F&& f) const {
  const Entity& s = entities_[entity];
  if (s.has_node == 0) return;
  bool leaves = s.node_vc != no_channel;
  pool_.for_each(s.node_queue, [&](const auto& stored) {
    if (!std::exchange(leaves, false)) f(stored);
  });
}

/// Calls f(port, stored packet) for all packets in a switch's buffers of which no cell has left, or that leave for
/// their nodes: so each packet is there once.
template <class Host>
template <class F>
void VcNetwork<Host>::for_each_stored(const Entity& s, F&& f) const {
  for (u32 number = 0; number < lanes_of(s); ++number) {
    const Lane& lane = lane_at(s, number);
    bool leaves = lane.sent != 0 && !wire_at(s, lane.output).to_node;
    pool_.for_each(lane.fifo, [&](const auto& stored) {
      if (!std::exchange(leaves, false)) f(number / vcs_, stored);
    });
  }
}

/// Packets of which cells are in a buffer, or will be, by lane: one that stretches over several switches counts in
/// each.
template <class Host>
void VcNetwork<Host>::sample_queues(QueueSizes& sizes) const {
  for (const Entity& s : entities_) {
    for (u32 number = 0; number < lanes_of(s); ++number)
      sizes.see_transit(s.global, number, lane_at(s, number).packets);
    if (s.has_node != 0) sizes.see_injection(s.global, 0, s.waiting);
  }
}

/// First packets that wait for a channel, or have a cell and no credit.
template <class Host>
std::vector<Blocked> VcNetwork<Host>::blocked() const {
  std::vector<Blocked> found;
  for (const Entity& s : entities_) {
    for (u32 number = 0; number < lanes_of(s); ++number) {
      const Lane& lane = lane_at(s, number);
      const bool asks = engine::test_bit(asking(s), number), goes = engine::test_bit(going(s), number);
      if (!asks && !goes) continue;
      u32 channel = lane.target;
      if (asks) {  // nothing can be had of any of them, so one is enough
        const CandidateSet& set = candidate_sets_[pool_.first(lane.fifo).candidates];
        channel = set.escape != Candidates::none ? set.escape : set.outputs.front();
      } else if (wire_at(s, lane.output).to_node || channel_at(s, channel).credits > 0) {
        continue;
      }
      const u32 output = channel / vcs_;
      const bool own_node = topology_.direct() && output + 1U == s.switch_ports;
      const Peer far = own_node ? Peer{Peer::Kind::node, s.global, 0} : topology_.peer(RouterId(s.global), output);
      found.push_back({s.global, number, far.id, far.port * vcs_ + channel % vcs_, pool_.first(lane.fifo).packet.to});
    }
  }
  return found;
}

template <class Host>
void VcNetwork<Host>::check_drained() const {
  for (const Entity& s : entities_) {
    WEFT_ASSERT(s.waiting == 0 && s.node_queue.empty());
    for (u32 number = 0; number < lanes_of(s); ++number) WEFT_ASSERT(lane_at(s, number).packets == 0);
  }
}

template <class Host>
u32 VcNetwork<Host>::buffered(u32 entity, u32 input, Tick /*now*/) const {
  u32 cells = 0;
  for (u32 vc = 0; vc < vcs_; ++vc) cells += lane_at(entities_[entity], input * vcs_ + vc).cells;
  return cells;
}

template <class Host>
std::size_t VcNetwork<Host>::bytes() const {
  return entities_.size() * sizeof(Entity) + wires_.size() * (sizeof(Wire) + sizeof(Crossing)) +
         feeds_.size() * sizeof(Feed) + lanes_.size() * sizeof(Lane) + channels_.size() * sizeof(Channel) +
         masks_.size() * sizeof(u64) + candidate_sets_.bytes() + pool_.bytes();
}

}  // namespace weft::models::worms
