// Packets at the ends of their way through a Network: they come from a host, are consumed, or dropped; see network.hpp.
#pragma once

#include "models/machine/packets/network_class.hpp"

namespace weft::models {

template <class Policy, class Host>
inline bool Network<Policy, Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, Tick generated_at) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  const BlockType b = block(entity);
  const ShapeType& shape = *b.shape;
  const u32 input = shape.channels + (settings_.injection_queues == 1 ? 0 : pick_queue(b, sent, bits));
  auto& in = b.input(input);
  if (in.count >= settings_.injection_capacity) return false;
  u32 slot = in.head + in.count;
  if (slot >= settings_.injection_capacity) slot -= settings_.injection_capacity;
  Packet& packet = b.packet(input, slot);
  static_cast<HostPacket&>(packet) = sent;
  packet.set_generated_at(generated_at);
  if constexpr (has_state) {
    packet.state = {};
    policy_.begin(packet.state, packet, bits);
  }
  in.arrival = static_cast<u32>(tick - settings_.packet_ticks);
  record_generated(at(b, entity, input, tick, packet), input, packet, policy_);
  if (in.count++ == 0) become_first(b, entity, input, tick);
  return true;
}

template <class Policy, class Host>
inline void Network<Policy, Host>::consume(const BlockType& b, u32 entity, u32 input, Tick tick) {
  auto& in = b.input(input);
  if (in.output == no_port<words>) in.output = index(b.shape->channels + 1);  // multiple consumption: nothing to hold
  in.stamp = static_cast<u32>(tick);
  record_hop();
  if (input < b.shape->channels) send_credit(b, entity, input, tick);
  if (details_ != nullptr) [[unlikely]] {
    const Packet& packet = b.packet(input, in.head);
    tell(PacketEvent::Kind::left, at(b, entity, input, tick, packet), packet, policy_);
  }
  kernel_->schedule(tick + settings_.packet_ticks, Release(entity, input, Release::Through::consumption));
}

template <class Policy, class Host>
inline void Network<Policy, Host>::discard(const BlockType& b, u32 entity, u32 input, Tick tick,
                                           typename Release::Through why) {
  auto& in = b.input(input);
  in.output = index(b.shape->channels + 1);
  in.stamp = static_cast<u32>(tick);
  if (input < b.shape->channels) send_credit(b, entity, input, tick);
  kernel_->schedule(tick + settings_.packet_ticks, Release(entity, input, why));
}

template <class Policy, class Host>
[[gnu::noinline]] void Network<Policy, Host>::discard_late(const BlockType& b, u32 entity, Tick tick) {
  auto& head = b.head();
  for (u32 input = b.shape->channels; input < b.shape->inputs; ++input) {
    if (!head.waiting.test(input)) continue;
    const u32 waited = static_cast<u32>(tick) - b.input(input).stamp;
    if (waited < settings_.injection_timeout_ticks) {
      requests_.check_again(tick + settings_.injection_timeout_ticks - waited);
      continue;
    }
    head.waiting.clear(input);
    head.asleep.clear(input);
    discard(b, entity, input, tick, Release::Through::late);
  }
}

template <class Policy, class Host>
inline void Network<Policy, Host>::deliver(const BlockType& b, u32 entity, u32 input, Tick tick) {
  const Packet& packet = b.packet(input, b.input(input).head);
  const Tick whole = tick - settings_.cycle_ticks;  // the cycle in which the tail was consumed
  u32 distance = 0, hops = 0;
  if constexpr (has_state) {  // along the path taken
    distance = packet.state.links;
    hops = distance - (topology_.direct() ? 0U : 2U);
  } else {
    distance = policy_.distance(packet.from, packet.to);
    hops = policy_.router_hops(packet.from, packet.to);
  }
  hand_over(*this, host_, at(b, entity, input, tick, packet), {whole, distance, hops}, packet, policy_);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::drop(const BlockType& b, u32 entity, u32 input, Tick tick, bool late) {
  const Packet& packet = b.packet(input, b.input(input).head);
  if (late) {
    record_late_drop();
  } else if (was_lost(packet)) {
    if constexpr (Policy::knows_live_faults) record_loss(tick, packet.state.low);
  } else {
    record_drop(tick, b.head().global, policy_.decode(packet.from), policy_.decode(packet.to));
  }
  count_drop(host_, packet);
  if constexpr (Policy::knows_live_faults && requires { host_.lost(tick, NodeId(0), packet, true); }) {
    if (settings_.live_faults != nullptr && !late)
      host_.lost(tick, NodeId(policy_.decode(packet.from)), packet, !was_lost(packet));
  }
  if (input < b.shape->channels) {
    statistics_.counters.network_time += tick - settings_.cycle_ticks;
  } else {
    ++statistics_.counters.dropped_at_source;
  }
  note(b.head().global, Place::drop, tick, packet.identity());
  if (details_ != nullptr) [[unlikely]]
    tell(input < b.shape->channels ? PacketEvent::Kind::dropped : PacketEvent::Kind::lost,
         at(b, entity, input, tick, packet), packet, policy_);
}

}  // namespace weft::models
