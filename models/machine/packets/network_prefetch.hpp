// What a Network loads ahead of its events and activations. Networks that stay in a core's cache need only the first
// step.
#pragma once

#include "engine/base/prefetch.hpp"
#include "models/machine/packets/network_class.hpp"

namespace weft::models {

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch(const Arrival& e) const {
  const BlockType b = block(e.entity);
  prefetch_masks(b);
  prefetch_queue(b, e.input);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch(const Credit& e) const {
  const BlockType b = block(e.entity);
  engine::prefetch(&b.used(0));
  if (huge_) engine::prefetch(&b.flags(b.shape->channels));  // may lie in the next line
  engine::prefetch(e.late() ? b.base : static_cast<void*>(&b.drain_base(b.slot(e.output()))));
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_near(const Credit& e) const {
  const BlockType b = block(e.entity);
  if (huge_ && b.watched() != 0) prefetch_masks(b);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch(const Release& e) const {
  const BlockType b = block(e.entity);
  prefetch_masks(b);
  engine::prefetch(&b.owner(0));
  if (e.through() == Release::Through::link) {
    engine::prefetch(&b.port(e.index()));
  } else {
    engine::prefetch(&b.lane(e.index()));
    if constexpr (requires { host_.prefetch_delivery(e.entity); }) {
      if (large_) {
        engine::prefetch(b.packets(e.index()));
        host_.prefetch_delivery(e.entity);
      }
    }
  }
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_near(const Release& e) const {
  if (!large_) return;
  const BlockType b = block(e.entity);
  if constexpr (requires { host_.prefetch_delivery(e.entity); }) {
    if (e.through() == Release::Through::consumption)
      host_.prefetch_delivery(e.entity, b.packet(e.index(), b.input(e.index()).head));
  }
  u32 input = e.index();
  if (e.through() == Release::Through::link) {
    const u32 channel = b.port(e.index()).current;
    if (channel == no_channel) return;
    input = b.owner(e.index() * policy_.virtual_channels() + channel);
  }
  if (input < b.shape->channels) return prefetch_queue(b, input);
  if (input >= b.shape->inputs) return;
  const u32 next = b.input(input).head + 1U;  // it has more places than are worth loading all
  engine::prefetch(&b.packet(input, next < settings_.injection_capacity ? next : 0));
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_near(u32 entity, unsigned stage) const {
  if (!large_) return;
  const BlockType b = block(entity);
  const ShapeType& shape = *b.shape;
  if constexpr (requires { host_.prefetch_near(entity, stage); }) {
    if (host_.prefetch_near(entity, stage)) prefetch_injection(b, stage);
  }
  const auto& waiting = b.head().waiting;
  if (!waiting.any()) return;
  if (stage == 0) {
    for (u32 at = shape.used_at / 64 * 64; at < shape.hot; at += 64) engine::prefetch(b.base + at);
    if (waiting.single()) prefetch_queue(b, waiting.next(0));
  } else if (!waiting.single() && (Policy::requests_by_route || huge_)) {
    // The lanes of all channels, and that of one injection queue.
    const u32 end = shape.lanes_at + (shape.channels + 1) * static_cast<u32>(sizeof(typename BlockType::Lane));
    for (u32 at = shape.lanes_at / 64 * 64; at < end; at += 64) engine::prefetch(b.base + at);
  }
}

/// What a packet that the host hands over leads to: the first injection queue, then the place behind its last packet.
template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_injection(const BlockType& b, unsigned stage) const {
  const u32 input = b.shape->channels;
  if (stage == 0) return engine::prefetch(&b.lane(input));
  const auto& in = b.input(input);
  const u32 place = in.head + in.count, capacity = settings_.injection_capacity;
  const Packet* const packet = &b.packet(input, place < capacity ? place : place - capacity);
  engine::prefetch(packet);
  engine::prefetch(reinterpret_cast<const std::byte*>(packet + 1) - 1);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_masks(const BlockType& b) {
  engine::prefetch(b.base);
  engine::prefetch(b.base + 64);
  engine::prefetch(b.base + 128);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_queue(const BlockType& b, u32 input) const {
  const Packet* const packets = b.packets(input);
  engine::prefetch(&b.lane(input));
  engine::prefetch(packets);
  // A queue may lie across two cache lines; that of packets of messages across three.
  if constexpr (sizeof(Packet) >= 32) engine::prefetch(packets + settings_.queue_packets / 2);
  engine::prefetch(packets + settings_.queue_packets - 1);
}

}  // namespace weft::models
