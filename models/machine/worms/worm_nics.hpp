// NICs of a WormNetwork that choose the routes of their packets: when they are asked, and the small packets that they
// send each other. docs/myrinet.md has the rules.
#pragma once

#include "models/machine/worms/worm_network_class.hpp"

namespace weft::models::worms {

template <class Host>
inline void WormNetwork<Host>::begin_data(u32 entity, const Entity& s) {
  Packet& packet = pool_.first(s.node_queue).packet;
  nics_->begin(entity, NodeId(packet.from), NodeId(packet.to), packet.state, packet.nic);
  if (nic_paths_ != nullptr) [[unlikely]] {  // the path is known not to lead on
    nic_paths_->begin(packet.state, NodeId(packet.from), NodeId(packet.to),
                      engine::remix(settings_.seed, packet.identity()));
  }
}

template <class Host>
template <class Ask>
inline void WormNetwork<Host>::probe_if(u32 entity, Tick tick, Ask&& ask) {
  endpoint::Nics::Probe probe{};
  const u64 rerouted = statistics_.counters.routes.rerouted;
  const bool wanted = ask(probe);
  if (statistics_.counters.routes.rerouted != rerouted) statistics_.last_reroute = tick;
  if (wanted) send_probe(entity, probe, tick);
}

template <class Host>
inline void WormNetwork<Host>::data_left(u32 entity, u32 output, Tick tick) {
  const Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  const Packet& packet = pool_.first(s.node_queue).packet;
  probe_if(entity, tick, [&](endpoint::Nics::Probe& probe) {
    return nics_->left(entity, NodeId(packet.from), NodeId(packet.to), out.held != 0, probe);
  });
  out.held = 0;
}

template <class Host>
inline void WormNetwork<Host>::send_probe(u32 entity, const endpoint::Nics::Probe& probe, Tick tick) {
  Packet packet{};
  packet.from = layout_.node(entity).value();
  packet.to = probe.to;
  packet.set_generated_at(tick);  // again when it begins
  packet.use = endpoint::PacketUse::probe;
  packet.state = nics_->state_of(NodeId(packet.from), probe);
  send_small(entity, packet);
}

template <class Host>
inline void WormNetwork<Host>::send_small(u32 entity, const Packet& packet) {
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored = {};
  stored.packet = packet;
  stored.packet.cells = static_cast<u16>(worm_.nics.probe_cells);
  pool_.append(entities_[entity].small_queue, at);
}

template <class Host>
inline void WormNetwork<Host>::take_small(u32 entity, const Packet& packet, Tick tick) {
  const Entity& s = entities_[entity];
  const NodeId here(packet.to), from(packet.from);
  note(s, Place::delivery, tick, packet);
  look_at(entity, s.switch_ports);
  if (packet.use == endpoint::PacketUse::answer) {
    return probe_if(entity, tick, [&](endpoint::Nics::Probe& probe) {
      return nics_->answered(entity, here, from, packet.nic, probe);
    });
  }
  Packet answer = packet;
  answer.set_generated_at(tick);
  answer.from = packet.to;
  answer.to = packet.from;
  answer.use = endpoint::PacketUse::answer;
  answer.state = nics_->answer_to(from, here, packet.state);
  answer.nic = endpoint::Nics::header_of_answer(packet.age(tick));
  send_small(entity, answer);
}

}  // namespace weft::models::worms
