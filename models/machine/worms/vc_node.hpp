// What a node does at wormhole switches with several virtual channels: packets leave one after the other, each by one
// channel; what comes is taken.
#pragma once

#include "models/machine/worms/vc_network_class.hpp"

namespace weft::models::worms {

template <class Host>
inline bool VcNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  Entity& s = entities_[entity];
  if (s.waiting >= vc_.node_packets) {
    s.free_space.refuse();
    return false;
  }
  WEFT_ASSERT(cells > 0 && cells <= settings_.packet_phits);
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored = {};
  static_cast<HostPacket&>(stored.packet) = sent;
  stored.packet.set_generated_at(tick);
  stored.packet.cells = static_cast<u16>(cells);
  routes_.routing().begin(stored.packet.state, NodeId(sent.from), NodeId(sent.to), (bits & ~u64{0xff}) | sent.ties);
  pool_.append(s.node_queue, at);
  ++s.waiting;
  record_generated(at_node(entity, stored.packet, tick), Place::generation, stored.packet);
  kernel_->touch(entity);
  return true;
}

template <class Host>
inline void VcNetwork<Host>::send_from_node(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  if (s.node_busy_until > tick) return look_at_next(s.node_busy_until);
  if (s.node_vc == no_channel && !begin_at_node(s, entity, tick)) return;
  const u32 number = s.switch_ports * vcs_ + s.node_vc;
  Channel& channel = channel_at(s, number);
  if (channel.credits <= 0) return;  // one comes
  const Wire& wire = wire_at(s, s.switch_ports);
  --channel.credits;
  s.node_busy_until = tick + wire.cell_ticks;
  if (s.node_sent++ != 0) {
    kernel_->send(wire.peer, tick + wire.ticks, Cell{0, static_cast<u16>(wire.peer_port), s.node_vc}, entity);
  }
  if (s.node_sent == pool_.first(s.node_queue).packet.cells) {
    pool_.give_back(pool_.remove_first(s.node_queue));
    channel.holder = vc_.release_on_credit ? Channel::draining : Channel::nobody;
    s.node_vc = no_channel;
    s.node_sent = 0;
  }
  if (!s.node_queue.empty()) look_at_next(s.node_busy_until);
}

template <class Host>
inline bool VcNetwork<Host>::begin_at_node(Entity& s, u32 entity, Tick tick) {
  Packet& packet = pool_.first(s.node_queue).packet;
  const Routing::Channels some = routes_.routing().node_link_channels(packet.state, false);
  const u32 count = std::min(some.count, vcs_ - some.first);
  const u32 turn = s.node_turn >= some.first && s.node_turn - some.first < count ? s.node_turn - some.first : 0;
  for (u32 k = 0; k < count; ++k) {
    const u32 vc = some.first + (turn + k) % count, number = s.switch_ports * vcs_ + vc;
    Channel& channel = channel_at(s, number);
    if (channel.holder != Channel::nobody || channel.credits <= 0) continue;
    channel.holder = 0;
    s.node_vc = static_cast<u16>(vc);
    s.node_turn = static_cast<u16>(vc + 1 < vcs_ ? vc + 1 : 0);
    --s.waiting;
    record_injected(at_node(entity, packet, tick), packet);
    const Tick next = tick + settings_.cycle_ticks;
    if (s.free_space.left(next)) look_at_next(next);
    put_header(entity, number, packet, tick, tick);
    return true;
  }
  return false;
}

template <class Host>
inline void VcNetwork<Host>::deliver(const Taken& e, Tick tick) {
  hand_over(*this, host_, at_node(e.entity, e.packet, tick), this->travelled(e.packet, tick), e.packet);
}

}  // namespace weft::models::worms
