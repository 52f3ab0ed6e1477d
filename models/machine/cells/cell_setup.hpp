// A CellNetwork is set up, saved and restored, sampled for reports; its checks are in cell_checks.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <memory>

#include "engine/base/error.hpp"
#include "engine/due.hpp"
#include "models/core/state_records.hpp"
#include "models/core/wiring.hpp"
#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

/// One for each traffic class; one object for all of a mode, since tables are large.
inline std::vector<std::shared_ptr<Routes>> routes_of_classes(const Topology& topology, const RouterSettings& settings,
                                                              const CellSettings& own) {
  std::map<std::string, std::shared_ptr<Routes>> of_mode;
  std::vector<std::shared_ptr<Routes>> all;
  for (const std::string& mode : own.class_modes) {
    std::shared_ptr<Routes>& routes = of_mode[mode];
    if (!routes) routes = std::make_shared<Routes>(topology, settings, mode);
    all.push_back(routes);
  }
  return all;
}
/// Whether some of the routes are not for packets of all sources. Throws ConfigError if a node has none of a class with
/// a share.
inline bool are_partial(const Topology& topology, const CellSettings& own,
                        const std::vector<std::shared_ptr<Routes>>& routes) {
  bool partial = false;
  for (u32 node = 0; node < topology.nodes(); ++node) {
    bool served = false;
    for (u32 c = 0; c < own.classes; ++c) {
      const bool serves = routes[c]->routing().serves(NodeId(node));
      served = served || (serves && own.class_shares[c] != 0);
      partial = partial || !serves;
    }
    if (!served) {
      throw ConfigError(
          fmt::format("router.class_modes leaves node {} without a traffic class (no class with a share has routes for "
                      "its packets); give one of them a mode that has",
                      node));
    }
  }
  return partial;
}
inline std::vector<const OccupancyChoice*> choices_of(const std::vector<std::shared_ptr<Routes>>& routes) {
  std::vector<const OccupancyChoice*> all;
  for (const auto& some : routes) all.push_back(&some->routing());
  return all;
}

template <class Host>
CellNetwork<Host>::CellNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host)
    : Endpoints(topology, settings, layout),
      switch_(cell_settings(settings)),
      class_channels_(settings.virtual_channels),
      channels_(class_channels_ * (switch_.classes + (gives_to_switches(host) ? 1 : 0))),
      lanes_(channels_ + (switch_.queues == Queues::voq ? switch_.classes : 0)),
      node_queues_(switch_.scheduling == arbiter::Scheduling::vl_arbitration ? channels_ : switch_.classes),
      routes_(routes_of_classes(topology, settings, switch_)),
      candidate_sets_(channels_),
      crossbar_{.matching = arbiter::Matching(switch_.scheduling, switch_.iterations, channels_),
                .scheduler = arbiter::make_scheduler(settings),
                .scheduler_counts_queues = arbiter::counts_queues(settings)},
      arbitration_(switch_.scheduling == arbiter::Scheduling::vl_arbitration
                       ? arbiter::VlArbitration(switch_.vl_tables, channels_)
                       : arbiter::VlArbitration()),
      remote_occupancy_(topology, choices_of(routes_), switch_.notice_cells),
      congestion_(settings),
      keeps_arrivals_(keeps_arrivals()),
      host_(host),
      ports_(channels_, keeps_arrivals_) {
  live_ = settings.live_faults;
  if (live_ != nullptr) check_live_faults();
  slow_links_ = live_ != nullptr && live_->slows_links();
  if (live_ != nullptr || dynamic_cast<const FaultyTopology*>(&topology) != nullptr) {
    for (const auto& routes : routes_) {
      open_paths_.push_back(
          std::make_unique<OpenPaths>(topology, live_, routes->routing(), class_channels_, routes->words()));
    }
  }
  partial_classes_ = are_partial(topology, switch_, routes_);
  for (u32 e = 0; e < layout_.entities(); ++e) add_entity(e);
  idle_until_.resize(ports_.size() + engine::due_lanes);
  other_node_queues_.resize(entities_.size() * (node_queues_ - 1));
  arbitration_.resize(ports_.size());
  congestion_.resize(layout_.entities());
  if constexpr (reduces) {
    if (host.reduces()) ReductionEngine<CellNetwork>::set_up(*this, host.reductions());
  }
}

template <class Host>
void CellNetwork<Host>::add_entity(u32 entity) {
  const EntityWires made = wires_of(topology_, settings_, layout_, entity, switch_.speedup);
  Entity s = this->entity_of(made, ports_.size());
  for (const Wire& wire : made.wires) {
    const bool buffered = wire.connected && !wire.to_node;
    ports_.add(wire, wire.to_node ? unlimited_credits : static_cast<i32>(buffered ? own_cells() : 0));
    if (switch_.shared) shared_left_.push_back(static_cast<i32>(buffered ? shared_cells() : 0));
  }
  for (const Wire& in : made.wires) {
    for (const Wire& out : made.wires) gaps_ = gaps_ || switch_.store_and_forward || in.cell_ticks > out.cross_ticks;
  }
  if (switch_.output_cells != 0) link_through_.resize(ports_.size());
  if (switch_.scheduling == arbiter::Scheduling::islip) turns_.resize(std::size_t{ports_.size()} * channels_);
  remote_occupancy_.add(topology_, RouterId(s.global), s.switch_ports);
  s.first_mask = static_cast<u32>(masks_.size());
  masks_.resize(masks_.size() + channel_words(s) + 3 * input_words(s));
  for (u32 port = 0; port < s.switch_ports; ++port) {
    if (made.wires[port].to_node) engine::set_bit(inputs_from_nodes(s), port);
  }
  entities_.push_back(s);
}

/// Hands every piece of an entity's state to f(pointer, bytes), and every list to f(list), in one order.
template <class Host>
template <class Self, class F>
void CellNetwork<Host>::visit_state(Self& self, u32 entity, F&& f) {
  auto& s = self.entities_[entity];
  f(&s.wake, sizeof s.wake);
  f(&s.free_space, sizeof s.free_space);
  f(&s.matches, sizeof s.matches);
  f(&s.work, sizeof s.work);
  f(&s.class_turn, sizeof s.class_turn);
  const u32 ports = self.ports_of(s);
  for (u32 p = 0; p < ports; ++p) {
    f(&self.ports_.port(s.first_port + p), sizeof(Port));
    f(&self.ports_.busy_until(s.first_port + p), sizeof(Tick));
    f(&self.ports_.read_until(s.first_port + p), sizeof(Tick));
    for (u32 vc = 0; vc < self.channels_; ++vc) f(&self.credits(s, p, vc), sizeof(i32));
  }
  if (self.switch_.shared) f(&self.shared_left_[s.first_port], ports * sizeof(i32));
  if (self.switch_.output_cells != 0) f(&self.link_through_[s.first_port], ports * sizeof(Tick));
  if (!self.turns_.empty()) {
    const u32 all = self.channels_;
    f(&self.turns_[std::size_t{s.first_port} * all], std::size_t{ports} * all * sizeof(arbiter::Matching::Turn));
  }
  arbiter::VlArbitration::visit_state(self.arbitration_, s.first_port, ports, f);
  RemoteOccupancy::visit_state(self.remote_occupancy_, entity, f);
  endpoint::Congestion::visit_state(self.congestion_, entity, f);
  for (u32 c = 0; c < self.node_queues_; ++c) f(self.node_queue(entity, c));
  if (self.has_reduction_unit(entity)) ReductionEngine<CellNetwork>::visit_state(*self.reduction_units_[entity], f);
  for (u32 p = 0; p < s.switch_ports; ++p) {
    for (u32 vc = 0; self.keeps_arrivals_ && vc < self.channels_; ++vc) f(self.unrouted(s, p, vc));
    f.queues(self.ports_.queues(s.first_port + p), self.numbering(), [&](auto& stored) {
      if constexpr (!std::is_const_v<Self>) self.find_candidates(s, p, stored);
    });
  }
}

/// What follows from the state of an entity that a checkpoint had.
template <class Host>
void CellNetwork<Host>::find_again(u32 entity) {
  Entity& s = entities_[entity];
  if (live_ != nullptr) static_cast<void>(follow_sweeps());
  with_reduction_unit(entity, [](auto unit) { unit.find_again(); });
  for_each_at_node(entity, [&](const auto&) { ++s.waiting; });
  for (u32 input = 0; input < s.switch_ports; ++input) {
    if (ports_.queues(s.first_port + input) != List::none) engine::set_bit(inputs(s), input);
    s.busy_until = std::max(s.busy_until, ports_.read_until(s.first_port + input));
    for (u32 vc = 0; keeps_arrivals_ && vc < channels_; ++vc) {
      if (!unrouted(s, input, vc).empty()) engine::set_bit(newcomers(s), input * channels_ + vc);
    }
  }
}

/// Calls f(port, stored packet) for all packets in a switch's buffers.
template <class Host>
template <class F>
void CellNetwork<Host>::for_each_stored(const Entity& s, F&& f) const {
  for (u32 p = 0; p < s.switch_ports; ++p) {
    const auto of_port = [&](const auto& stored) { f(p, stored); };
    for (u32 vc = 0; keeps_arrivals_ && vc < channels_; ++vc) pool_.for_each(unrouted(s, p, vc), of_port);
    pool_.for_each_in(ports_.queues(s.first_port + p), of_port);
  }
  const u32 entity = static_cast<u32>(&s - entities_.data());
  if (!has_reduction_unit(entity)) return;
  for (u32 p = 0; p < s.switch_ports; ++p)
    pool_.for_each(reduction_units_[entity]->come[p], [&](const auto& stored) { f(p, stored); });
}

/// Calls f(stored packet) for those of reduction units that are in no input's buffer, nor at a node.
template <class Host>
template <class F>
void CellNetwork<Host>::for_each_in_reduction(F&& f) const {
  for (u32 entity = 0; entity < reduction_units_.size(); ++entity) {
    if (!has_reduction_unit(entity)) continue;
    const ReductionUnit& unit = *reduction_units_[entity];
    for (const auto& part : unit.parts) {
      pool_.for_each(part.ready, f);
      for (const List& sum : part.sums) pool_.for_each(sum, f);
    }
    for (u32 port = 0; port < entities_[entity].switch_ports; ++port) pool_.for_each(unit.out[port], f);
  }
}

template <class Host>
InFlight CellNetwork<Host>::in_flight(Tick now) const {
  InFlight found = endpoint::SwitchShell<CellNetwork>::in_flight(now);
  for_each_in_reduction([&](const auto& stored) {
    ++found.network;
    found.oldest_age = std::max(found.oldest_age, stored.packet.age(now));
  });
  return found;
}

/// By input and virtual channel, in packets.
template <class Host>
void CellNetwork<Host>::sample_queues(QueueSizes& sizes) const {
  std::vector<u32> packets;
  for (const Entity& s : entities_) {
    packets.assign(s.switch_ports * channels_, 0);
    for_each_stored(s, [&](u32 port, const auto& stored) { ++packets[port * channels_ + stored.packet.vc]; });
    for (u32 queue = 0; queue < packets.size(); ++queue) sizes.see_transit(s.global, queue, packets[queue]);
    if (s.has_node != 0) sizes.see_injection(s.global, 0, s.waiting);
  }
}

template <class Host>
std::vector<Blocked> CellNetwork<Host>::blocked() const {
  std::vector<Blocked> found;
  for (const Entity& s : entities_) {
    for (u32 p = 0; p < s.switch_ports; ++p) {
      pool_.for_each_first(ports_.queues(s.first_port + p), [&](u32 at) {
        const auto& first = pool_[at];
        u32 output = first.output, vc = first.vc;
        if (output == no_output) return;  // nobody is in its way
        if (first.has_choice()) {         // nothing can be had of any of them, so one is enough
          const CandidateSet& set = candidate_sets_[first.candidates];
          const u32 candidate = set.escape != Candidates::none ? set.escape : set.outputs.front();
          output = candidate / channels_, vc = candidate % channels_;
        }
        const bool own_node = topology_.direct() && output + 1U == s.switch_ports;
        const Peer far = own_node ? Peer{Peer::Kind::node, s.global, 0} : topology_.peer(RouterId(s.global), output);
        found.push_back(
            {s.global, p * channels_ + first.packet.vc, far.id, far.port * channels_ + vc, first.packet.to});
      });
    }
  }
  return found;
}

template <class Host>
std::size_t CellNetwork<Host>::bytes() const {
  return entities_.size() * sizeof(Entity) + ports_.bytes() +
         (idle_until_.size() + link_through_.size()) * sizeof(Tick) + shared_left_.size() * sizeof(i32) +
         turns_.size() * sizeof(arbiter::Matching::Turn) + other_node_queues_.size() * sizeof(List) +
         masks_.size() * sizeof(u64) + arbitration_.bytes() + remote_occupancy_.bytes() + congestion_.bytes() +
         candidate_sets_.bytes() + pool_.bytes();
}

}  // namespace weft::models::cells
