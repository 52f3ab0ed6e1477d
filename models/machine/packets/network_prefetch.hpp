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
  }
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_near(const Release& e) const {
  if (!large_) return;
  const BlockType b = block(e.entity);
  if constexpr (requires { host_.prefetch_delivery(e.entity); }) {
    if (e.through() == Release::Through::consumption) host_.prefetch_delivery(e.entity);
  }
  u32 input = e.index();
  if (e.through() == Release::Through::link) {
    const u32 channel = b.port(e.index()).current;
    if (channel == no_channel) return;
    input = b.owner(e.index() * policy_.virtual_channels() + channel);
  }
  if (input < b.shape->inputs) prefetch_queue(b, input);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::prefetch_near(u32 entity, unsigned stage) const {
  if (!large_) return;
  if constexpr (requires { host_.prefetch_near(entity, stage); }) host_.prefetch_near(entity, stage);
  const BlockType b = block(entity);
  const ShapeType& shape = *b.shape;
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
  engine::prefetch(packets + settings_.queue_packets - 1);  // a queue may lie across two cache lines
}

}  // namespace weft::models
