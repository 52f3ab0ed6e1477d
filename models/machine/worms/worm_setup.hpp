// A WormNetwork is set up, saved and restored, sampled for reports; its checks are in worm_checks.hpp.
#pragma once

#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/state_records.hpp"
#include "models/core/wiring.hpp"
#include "models/machine/worms/worm_network_class.hpp"

namespace weft::models::worms {

template <class Host>
WormNetwork<Host>::WormNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host)
    : Endpoints(topology, settings, layout),
      worm_(worm_settings(topology, settings)),
      cell_(worm_.cell_ticks),
      stop_go_(worm_.flow_control == FlowControl::stop_go),
      routes_(topology, settings, settings.own.text("routing_mode")),
      nics_(worm_.nics.active() ? std::make_unique<endpoint::Nics>(worm_.nics, routes_.routing(), layout.entities(),
                                                                   statistics_.counters.routes)
                                : nullptr),
      scheduler_(arbiter::make_scheduler(settings)),
      host_(host),
      live_(settings.live_faults),
      slow_links_(live_ != nullptr && live_->slows_links()) {
  if (settings.faults) {
    check_live_faults();
    open_paths_ = std::make_unique<OpenPaths>(topology, live_, routes_.routing(), 1, routes_.words());
    nic_paths_ =
        std::make_unique<OpenPaths>(topology, live_, routes_.routing(), 1, routes_.words(), OpenPaths::View::nics);
  }
  u32 words = 1;
  for (u32 e = 0; e < layout_.entities(); ++e) {
    add_entity(e);
    words = std::max(words, words_of(entities_.back()));
  }
  for (std::vector<u64>* const mask : {&heads_, &links_, &buffers_}) mask->resize(words);
}

template <class Host>
void WormNetwork<Host>::add_entity(u32 entity) {
  const EntityWires made = wires_of(topology_, settings_, layout_, entity);
  Entity s = this->entity_of(made, ports_.size());
  for (const Wire& wire : made.wires) {
    wires_.push_back(wire);
    ports_.emplace_back();
    if (wire.connected && !wire.to_node) ports_.back().credits = static_cast<i32>(worm_.buffer_cells);
  }
  if (open_paths_ != nullptr) {
    const std::size_t ports = s.first_port + std::size_t{ports_of(s)};
    wires_.resize(ports);
    ports_.resize(ports);
    before_.resize(ports);
    for (u32 input = 0; input < s.switch_ports; ++input) wires_[s.first_port + sink_of(s, input)].to_node = true;
  }
  fifos_.resize(ports_.size());
  s.first_mask = static_cast<u32>(masks_.size());
  masks_.resize(masks_.size() +
                std::size_t{(open_paths_ != nullptr ? ports_of(s) : s.switch_ports) + 1U} * words_of(s));
  entities_.push_back(s);
}

/// Hands every piece of an entity's state to f(pointer, bytes), and every list to f(list), in one order.
template <class Host>
template <class Self, class F>
void WormNetwork<Host>::visit_state(Self& self, u32 entity, F&& f) {
  auto& s = self.entities_[entity];
  f(&s.free_space, sizeof s.free_space);
  f(&s.draws, sizeof s.draws);
  f(&s.work, sizeof s.work);
  f(&s.first_input, sizeof s.first_input);
  f(&self.ports_[s.first_port], self.ports_of(s) * sizeof(Port));
  if (self.open_paths_ != nullptr) f(&self.before_[s.first_port], s.switch_ports * sizeof(Before));
  f(s.node_queue);
  f(s.small_queue);
  if (self.nics_ != nullptr) endpoint::Nics::visit(*self.nics_, entity, f);
  for (u32 p = 0; p < s.switch_ports; ++p) f(self.fifos_[s.first_port + p]);
}

template <class Host>
template <class F>
void WormNetwork<Host>::for_each_at_node(u32 entity, F&& f) const {
  const Entity& s = entities_[entity];
  if (s.has_node == 0) return;
  const Port& out = ports_[s.first_port + s.switch_ports];
  bool leaves = out.active != 0 && out.source == s.switch_ports;
  pool_.for_each(s.node_queue, [&](const auto& stored) {
    if (!std::exchange(leaves, false)) f(stored);
  });
}

/// What follows from the state of an entity that a checkpoint had.
template <class Host>
void WormNetwork<Host>::find_again(u32 entity) {
  Entity& s = entities_[entity];
  if (live_ != nullptr) static_cast<void>(follow_sweeps());
  for_each_at_node(entity, [&](const auto&) { ++s.waiting; });
  for (u32 input = 0; input < s.switch_ports; ++input) {
    const Port& in = ports_[s.first_port + input];
    if (in.target != Port::none && in.reading == 0) engine::set_bit(askers(s, in.target), input);
  }
}

/// Packets of which cells are in a buffer, or were until C ago, by input: one that stretches over several switches
/// counts in each.
template <class Host>
void WormNetwork<Host>::sample_queues(QueueSizes& sizes) const {
  for (const Entity& s : entities_) {
    for (u32 p = 0; p < s.switch_ports; ++p) sizes.see_transit(s.global, p, ports_[s.first_port + p].packets);
    if (s.has_node != 0) sizes.see_injection(s.global, 0, s.waiting);
  }
}

/// First packets that wait for their output, or hold it and may send nothing.
template <class Host>
std::vector<Blocked> WormNetwork<Host>::blocked() const {
  std::vector<Blocked> found;
  for (const Entity& s : entities_) {
    for (u32 p = 0; p < s.switch_ports; ++p) {
      const Port& in = ports_[s.first_port + p];
      if (in.target == Port::none || (in.reading != 0 && ports_[s.first_port + in.target].running != 0)) continue;
      if (is_sink(s, in.target)) continue;
      const bool own_node = topology_.direct() && in.target + 1U == s.switch_ports;
      const Peer far = own_node ? Peer{Peer::Kind::node, s.global, 0} : topology_.peer(RouterId(s.global), in.target);
      found.push_back({s.global, p, far.id, far.port, pool_.first(fifos_[s.first_port + p]).packet.to});
    }
  }
  return found;
}

/// Calls f(port, stored packet) for all packets of data in a switch's buffers of which no cell has left, or that leave
/// for their nodes: so each packet is there once.
template <class Host>
template <class F>
void WormNetwork<Host>::for_each_stored(const Entity& s, F&& f) const {
  for (u32 p = 0; p < s.switch_ports; ++p) {
    const Port& in = ports_[s.first_port + p];
    bool first = true;
    pool_.for_each(fifos_[s.first_port + p], [&](const auto& stored) {
      const bool leaves = std::exchange(first, false) && in.reading != 0;
      if (!is_data(stored.packet)) return;
      if (leaves) {
        const u32 output = s.first_port + in.target;
        const Port& out = ports_[output];
        if (wires_[output].to_node ? out.tail_notified != 0 : !is_held_back(out)) return;
      }
      f(p, stored);
    });
  }
}

/// Probes and answers may still be in flight.
template <class Host>
void WormNetwork<Host>::check_drained() const {
  for (const Entity& s : entities_) {
    WEFT_ASSERT(s.waiting == 0 && s.node_queue.empty());
    for (u32 p = 0; p < s.switch_ports; ++p) {
      pool_.for_each(fifos_[s.first_port + p], [](const auto& stored) { WEFT_ASSERT(!is_data(stored.packet)); });
    }
  }
}

template <class Host>
std::size_t WormNetwork<Host>::bytes() const {
  return entities_.size() * sizeof(Entity) + ports_.size() * (sizeof(Port) + sizeof(Wire) + sizeof(List)) +
         masks_.size() * sizeof(u64) + pool_.bytes() + (nics_ != nullptr ? nics_->bytes() : 0);
}

}  // namespace weft::models::worms
