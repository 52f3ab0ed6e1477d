// Checks of a Network against a count from scratch, and a look at its queues: for tests and debug builds, never in a
// run's way.
#pragma once

#include <fmt/format.h>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/error.hpp"
#include "models/machine/packets/network_class.hpp"

namespace weft::models {

template <class Policy, class Host>
bool Network<Policy, Host>::first_leaves(const BlockType& b, u32 input) {
  const auto& in = b.input(input);
  if (in.count == 0 || in.output == no_port<words>) return false;
  return in.output >= b.shape->channels || (b.flags(b.slot(in.output)) & BlockType::sending) != 0;
}

template <class Policy, class Host>
template <class F>
void Network<Policy, Host>::for_each_queued(F&& f) const {
  const u32 channels = policy_.virtual_channels();
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    for (u32 i = 0; i < b.shape->channels; ++i) {
      const auto& in = b.input(i);
      for (u32 k = 0; k < in.count; ++k) {
        const Packet& packet = b.packet(i, (in.head + k) % settings_.queue_packets);
        f(e, policy_.fed_port(b.shape->port_of[i]), i % channels, packet, k == 0 && first_leaves(b, i));
      }
    }
  }
}

/// What an output counts as used behind it, a drain in progress left aside, is: packets on their way there, packets
/// there that have not begun to leave, and credits on their way back (of a queue that was full: until the packet has
/// left).
template <class Policy, class Host>
void Network<Policy, Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  std::vector<std::size_t> first{0};  // output 0 of each entity, in `found`
  for (u32 e = 0; e < layout_.entities(); ++e) first.push_back(first.back() + block(e).shape->channels);
  std::vector<u32> found(first.back());
  const auto fed_by = [&](const BlockType& b, u32 input) -> u32& {
    const u32 group = b.shape->port_of[input];
    const OutputPort& back = b.port(policy_.fed_port(group));
    return found[first[back.peer.value] + back.credit_base + input - group * policy_.virtual_channels()];
  };
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    for (u32 i = 0; i < b.shape->channels; ++i) {
      if (const u32 count = b.input(i).count; count > 0) fed_by(b, i) += count - (first_leaves(b, i) ? 1 : 0);
    }
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival>) ++fed_by(block(event.entity), event.input);
    if constexpr (std::is_same_v<Event, Credit>) ++found[first[event.entity] + event.output()];
  });
  for (u32 e = 0; e < layout_.entities(); ++e) check_entity(e, found.data() + first[e], now);
  check_totals(in_flight(now), now);
}

template <class Policy, class Host>
void Network<Policy, Host>::check_entity(u32 entity, const u32* found, Tick now) const {
  const BlockType b = block(entity);
  const auto& head = b.head();
  const auto fail = [&](std::string_view what, u32 place, u32 counted, u32 there) {
    throw Bug(fmt::format("tick {}: {} {} of entity {}: {} counted, {} found", now, what, place, head.global, counted,
                          there));
  };
  const bool router = entity < layout_.local_routers();
  for (u32 i = 0; i < b.shape->inputs; ++i) {
    const u32 capacity = i < b.shape->channels ? settings_.queue_packets : settings_.injection_capacity;
    if (b.input(i).count > capacity) fail("packets in input", i, b.input(i).count, capacity);
  }
  for (u32 o = 0; o < b.shape->channels; ++o) {
    const u32 slot = b.slot(o), used = b.used(slot), draining = (b.flags(slot) & BlockType::draining) != 0 ? 1 : 0;
    const bool linked = !router || topology_.peer(layout_.router(entity), b.shape->port_of[o]).kind != Peer::Kind::none;
    const u32 there = linked ? found[o] : settings_.queue_packets;
    if (used != there + draining || used > settings_.queue_packets) {
      fail(draining == 0 ? "packets behind output" : "packets, with one that leaves, behind output", o, used,
           there + draining);
    }
    if (head.space.test(o) != (used < settings_.queue_packets))
      fail("free space behind output", o, head.space.test(o), used);
  }
  for (u32 o = 0; o <= b.shape->channels; ++o) {
    const u32 owner = b.owner(o);
    const bool held = owner != no_port<words>;
    if (head.free.test(o) == held) fail("holders of output", o, head.free.test(o) ? 0 : 1, held ? 1 : 0);
    if (held && b.input(owner).output != o) fail("output of the holder of output", o, b.input(owner).output, o);
  }
}

}  // namespace weft::models
