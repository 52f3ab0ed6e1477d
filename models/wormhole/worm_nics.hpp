// NICs of a WormNetwork that choose the routes of their packets: when they are asked, and the small packets that they
// send each other. docs/myrinet.md has the rules.
#pragma once

#include "models/wormhole/worm_network.hpp"

namespace weft::models::worm {

template <class Host>
inline void WormNetwork<Host>::end_waiting(u32 entity, Tick tick) {
  const NodeId here = layout_.node(entity);
  nics_->end_waiting(entity, here, tick, [&](const nic::Nics::Probe& probe) {
    send_probe(entity, probe, tick);
    engine::set_bit(looks(entities_[entity]), entities_[entity].switch_ports);
  });
  const Tick next = nics_->next_deadline(entity);
  if (next != never) wake_at(entity, entities_[entity].switch_ports, next);
}

template <class Host>
inline void WormNetwork<Host>::begin_data(u32 entity, const Entity& s) {
  Packet& packet = pool_.first(s.node_queue).packet;
  nics_->begin(entity, NodeId(packet.from), NodeId(packet.to), packet.state);
}

template <class Host>
inline void WormNetwork<Host>::data_left(u32 entity, u32 output, Tick tick) {
  const Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  const Packet& packet = pool_.first(s.node_queue).packet;
  nic::Nics::Probe probe{};
  const bool wanted = nics_->left(entity, NodeId(packet.from), NodeId(packet.to), out.held != 0, probe);
  out.held = 0;
  if (wanted) send_probe(entity, probe, tick);
}

template <class Host>
inline void WormNetwork<Host>::send_probe(u32 entity, const nic::Nics::Probe& probe, Tick tick) {
  const NodeId here = layout_.node(entity), to(probe.to);
  send_small(entity, to, nic::PacketUse::probe, nics_->state_of(here, probe), tick);
}

template <class Host>
inline void WormNetwork<Host>::send_small(u32 entity, NodeId to, nic::PacketUse use, const RouteState& state,
                                          Tick tick) {
  Entity& s = entities_[entity];
  const u32 at = pool_.take();
  cells::Stored<Packet>& stored = pool_[at];
  stored = {};
  stored.packet.from = layout_.node(entity).value();
  stored.packet.to = to.value();
  stored.packet.set_birth(tick);
  stored.packet.cells = static_cast<u16>(worm_.nics.probe_cells);
  stored.packet.traffic_class = static_cast<u8>(use);
  stored.packet.state = state;
  pool_.append(s.small_queue, at);
}

template <class Host>
inline void WormNetwork<Host>::take_small(u32 entity, const Packet& packet, Tick tick) {
  const Entity& s = entities_[entity];
  const NodeId here(packet.to), from(packet.from);
  note(s, Place::delivery, tick, packet);
  if (packet.traffic_class == static_cast<u8>(nic::PacketUse::probe)) {
    send_small(entity, from, nic::PacketUse::answer, nics_->answer_to(from, here, packet.state), tick);
    look_at(entity, s.switch_ports);
  } else {
    nics_->answered(entity, from, packet.state);
  }
}

}  // namespace weft::models::worm
