// What becomes of packets in a WormNetwork when links, switches and nodes fail during the run: docs/faults.md has the
// rules. A packet that is lost goes on as if its link had worked, until a switch has it first in an input and throws it
// away in the time in which it would have sent it on; so what is counted of cells and credits stays whole.
#pragma once

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/worms/worm_network_class.hpp"

namespace weft::models::worms {

template <class Host>
void WormNetwork<Host>::faults_changed(Tick now) {
  faults_changed_at_ = now;
  note_transition(follow_sweeps(), now);
  for (u32 e = 0; e < entities_.size(); ++e) {
    const Entity& s = entities_[e];
    bool busy = s.waiting != 0;
    for (u32 p = 0; p < ports_of(s) && !busy; ++p)
      busy = (ports_[s.first_port + p].active | ports_[s.first_port + p].packets) != 0;
    if (busy) wake_at(e, 0, now);
  }
}

template <class Host>
std::string WormNetwork<Host>::follow_sweeps() {
  return follower_.tell(topology_, *live_, routes_);
}

/// The event by which a header that comes to an input of a switch at tick `at` was lost on the link there, or none.
template <class Host>
u32 WormNetwork<Host>::loss_on_link(const Entity& s, u32 input, Tick at) const {
  const Tick left = at - wires_[s.first_port + input].ticks;
  if (comes_from_inside(s, input)) return live_->loss_from(NodeId(s.global), left);
  const Peer from = topology_.peer(RouterId(s.global), input);
  if (from.kind == Peer::Kind::node) return live_->loss_from(NodeId(from.id), left);
  return live_->loss(RouterId(from.id), from.port, left - settings_.switch_ticks, at);
}

/// The event by which the link of an input, or what is at its other end, does not work; or none.
template <class Host>
u32 WormNetwork<Host>::failure_at(const Entity& s, u32 input) const {
  if (comes_from_inside(s, input)) return live_->works(NodeId(s.global)) ? not_lost : live_->failure(NodeId(s.global));
  const Peer from = topology_.peer(RouterId(s.global), input);
  if (from.kind == Peer::Kind::node) return live_->works(NodeId(from.id)) ? not_lost : live_->failure(NodeId(from.id));
  return live_->failure(RouterId(from.id), from.port);
}

/// The event by which the link from an output to a node, or the node, does not work; or none.
template <class Host>
u32 WormNetwork<Host>::failure_to_node(const Entity& s, u32 output) const {
  if (!topology_.direct()) return live_->failure(RouterId(s.global), output);
  return live_->works(NodeId(s.global)) ? not_lost : live_->failure(NodeId(s.global));
}

/// The event by which a packet was lost whose last cell comes to a node, or none.
template <class Host>
u32 WormNetwork<Host>::loss_at_node(u32 entity, const Packet& packet, Tick at) const {
  if (packet.state.is_lost()) return packet.state.low;
  const Entity& s = entities_[entity];
  const NodeId node = node_of(s);
  if (topology_.direct()) return live_->works(node) ? not_lost : live_->failure(node);
  const Tick left = at - wires_[s.first_port + s.switch_ports].ticks - settings_.switch_ticks;
  return live_->loss(topology_.router_of(node), topology_.port_of(node), left, at);
}

/// First thing in a tick with a change: what is on links that have failed is lost, and what waits is routed again.
template <class Host>
void WormNetwork<Host>::look_again(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  if (s.has_node != 0) look_through_node(entity, tick);
  for (u32 input = 0; input < s.switch_ports; ++input) {
    Port& in = ports_[s.first_port + input];
    if (in.packets == 0) continue;
    if (in.come_by(tick, cell_) < in.coming) {
      if (const u32 event = failure_at(s, input); event != not_lost) cut(entity, input, event, tick);
    }
    withdraw(entity, input);
  }
  for (u32 output = 0; output < s.switch_ports; ++output) {
    if (ports_[s.first_port + output].active == 0 || !wires_[s.first_port + output].to_node) continue;
    if (const u32 event = failure_to_node(s, output); event != not_lost) lose(packet_on(s, output).packet, event);
  }
}

/// The first packet of an input asks for an output again, if it has none of which it sends.
template <class Host>
void WormNetwork<Host>::withdraw(u32 entity, u32 input) {
  Entity& s = entities_[entity];
  Port& in = ports_[s.first_port + input];
  if (in.packets == 0 || in.reading != 0) return;
  look_at(entity, input);
  if (in.target == Port::none) return;
  engine::clear_bit(askers(s, in.target), input);
  --ports_[s.first_port + in.target].wanted;
  before_[s.first_port + input].output = in.target;
  in.target = Port::none;
  Packet& packet = pool_.first(fifos_[s.first_port + input]).packet;
  if (!packet.state.is_lost()) packet.state = before_[s.first_port + input].state;
}

/// A packet of which more is to come through an input will not be whole: its header, wherever that is, is told.
template <class Host>
void WormNetwork<Host>::cut(u32 entity, u32 input, u32 event, Tick tick) {
  const Entity& s = entities_[entity];
  lose(pool_[fifos_[s.first_port + input].last].packet, event);
  tell_of_cut(entity, input, tick);
}

template <class Host>
void WormNetwork<Host>::tell_of_cut(u32 entity, u32 input, Tick tick) {
  const Entity& s = entities_[entity];
  Port& in = ports_[s.first_port + input];
  in.cut = 0;
  if (in.packets != 1) return;  // it waits behind others
  if (in.reading == 0) return withdraw(entity, input);
  const u32 output = in.target;
  const Wire& wire = wires_[s.first_port + output];
  if (wire.to_node || is_held_back(ports_[s.first_port + output])) return;  // its header will say it
  const u32 event = pool_[fifos_[s.first_port + input].last].packet.state.low;
  kernel_->send(wire.peer, tick + reach(s, output), Signal{0, static_cast<u16>(wire.peer_port), SignalKind::cut, event},
                entity);
}

/// The header's part of a packet that was cut in two hears of it.
template <class Host>
void WormNetwork<Host>::hear_of_cut(u32 entity, u32 input, u32 event) {
  const Entity& s = entities_[entity];
  Port& in = ports_[s.first_port + input];
  if (is_nodes(s, input) || in.packets == 0) return;
  lose(pool_[fifos_[s.first_port + input].last].packet, event);
  in.cut = 1;
  look_at(entity, input);
}

/// Whether the first packet of an input is thrown away here, in place of being routed.
template <class Host>
bool WormNetwork<Host>::is_gone(const Entity& s, Packet& packet) const {
  if (live_ != nullptr && !live_->works(RouterId(s.global))) lose(packet, live_->failure(RouterId(s.global)));
  return packet.state.is_lost();
}

/// A packet that has no way on waits for a repair (true), or is thrown away.
template <class Host>
bool WormNetwork<Host>::waits_cut_off(Packet& packet) const {
  if (may_wait()) return true;
  if (is_data(packet)) lose(packet, no_path);
  return false;
}

/// Whether a packet that has come to its last switch may go to its node, as is known there.
template <class Host>
bool WormNetwork<Host>::node_takes(const Entity& s, NodeId to, u32 output) const {
  if (live_ == nullptr) return topology_.works(to);
  return topology_.direct() ? live_->known_to_work(to) : live_->detected_to_work(RouterId(s.global), output);
}

/// A packet is gone: by an event, or as it has no path.
template <class Host>
void WormNetwork<Host>::record_gone(u32 entity, const Packet& packet, Tick tick) {
  const Entity& s = entities_[entity];
  const bool lost = packet.state.low != no_path;
  if (lost) {
    record_loss(tick, packet.state.low);
  } else {
    record_drop(tick, s.global, packet.from, packet.to);
  }
  count_drop(host_, packet);
  if constexpr (requires { host_.lost(tick, NodeId(0), packet, true); }) {
    if (live_ != nullptr) host_.lost(tick, NodeId(packet.from), packet, !lost);
  }
  note(s, Place::drop, tick, packet);
}

/// Likewise in the network.
template <class Host>
void WormNetwork<Host>::count_gone(u32 entity, const Packet& packet, u32 queue, Tick tick) {
  record_gone(entity, packet, tick);
  statistics_.counters.network_time += tick;
  if (details_ != nullptr)
    tell(PacketEvent::Kind::dropped, {entity, entities_[entity].global, queue, tick, 0, packet.cells}, packet);
}

/// Packets at a node of which nothing has left: gone with it, or without a path, or on another one.
template <class Host>
void WormNetwork<Host>::look_through_node(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  const Port& out = ports_[s.first_port + s.switch_ports];
  bool leaves = out.active != 0 && out.source == s.switch_ports;
  const bool works = live_->works(node_of(s));
  List kept;
  while (!s.node_queue.empty()) {
    const u32 at = pool_.remove_first(s.node_queue);
    Packet& packet = pool_[at].packet;
    if (std::exchange(leaves, false) || (works && leads_on(packet))) {
      pool_.append(kept, at);
      continue;
    }
    packet.state.lose(works ? no_path : live_->failure(node_of(s)));
    ++statistics_.counters.dropped_at_source;
    record_gone(entity, packet, tick);
    if (details_ != nullptr) tell(PacketEvent::Kind::lost, at_node(entity, packet, tick), packet);
    --s.waiting;
    const Tick next = tick + settings_.cycle_ticks;
    if (s.free_space.left(next)) wake_at(entity, s.switch_ports, next);
    pool_.give_back(at);
  }
  s.node_queue = kept;
  look_at(entity, s.switch_ports);
}

/// Whether a packet at its source may go: it has a path, perhaps another one than was drawn first, or waits for one.
template <class Host>
bool WormNetwork<Host>::leads_on(Packet& packet) const {
  const NodeId from(packet.from), to(packet.to);
  if (may_wait()) return true;
  if (nics_ != nullptr) return open_paths_->both_work(from, to);  // NICs draw the path when it leaves
  open_paths_->begin(packet.state, from, to, engine::remix(settings_.seed, packet.identity()));
  return open_paths_->from_source({from, to, packet.state});
}

/// Whether a new packet cannot go: it is dropped then, and counted.
template <class Host>
[[gnu::noinline]] bool WormNetwork<Host>::drop_if_lost(u32 entity, Packet& packet, Tick tick) {
  const bool works = live_ == nullptr || live_->works(NodeId(packet.from));
  if (works && leads_on(packet)) return false;
  packet.state.lose(works ? no_path : live_->failure(NodeId(packet.from)));
  count_generated(entity, packet.cells);
  ++statistics_.counters.dropped_at_source;
  record_gone(entity, packet, tick);
  if (details_ != nullptr) {
    for (const auto kind : {PacketEvent::Kind::generated, PacketEvent::Kind::lost})
      tell(kind, at_node(entity, packet, tick), packet);
  }
  return true;
}

/// Throws ConfigError for what is not known to go on when packets are lost.
template <class Host>
void WormNetwork<Host>::check_live_faults() const {
  if (worm_.nics.active() && endpoint::DispersionRegistry::instance().find(worm_.nics.scheme)->probes) {
    throw ConfigError(fmt::format(
        "nic.dispersion = \"{}\" awaits answers to its probes and does not know that they are lost (faults.event, "
        "faults.file, faults.process, faults.links ...); take a scheme without probes",
        worm_.nics.scheme));
  }
}

}  // namespace weft::models::worms
