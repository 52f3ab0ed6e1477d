// The packet as routers see it: 12 bytes, moved whole; phits exist only as time.
#pragma once

#include <type_traits>

#include "engine/base/types.hpp"

namespace weft::models {

/// What travels. `from` and `to` are addresses of the routing policy (cubes: packed coordinates; trees: node ids).
struct Packet {
  static constexpr u32 address_bits = 24;
  static constexpr u64 tick_mask = (u64{1} << 40) - 1;

  u32 to : address_bits = 0;
  u32 generated_high : 8 = 0;
  u32 from : address_bits = 0;
  u32 ties : 8 = 0;       ///< random bits: which way round when both are equally short; dimension d looks at bit d % 8
  u32 generated_low = 0;  ///< tick at which the NIC accepted the packet, low 32 of 40 bits

  void set_generated_at(Tick tick) {
    generated_low = static_cast<u32>(tick);
    generated_high = static_cast<u8>(tick >> 32);
  }
  [[nodiscard]] u64 generated_at() const { return static_cast<u64>(generated_high) << 32 | generated_low; }
  /// Ticks since generation; exact up to 2^40.
  [[nodiscard]] Tick age(Tick now) const { return (now - generated_at()) & tick_mask; }
  /// Identity for the digest: two packets of one source are never generated in the same tick at one injection queue.
  [[nodiscard]] u64 identity() const {
    return (static_cast<u64>(to) << 32 | from) + generated_at() * 0x9e3779b97f4a7c15ULL +
           (static_cast<u64>(ties) << 48);
  }
};
static_assert(sizeof(Packet) == 12);

/// Addresses of networks whose packets carry the numbers of nodes.
struct NodeNumbers {
  [[nodiscard]] static u32 encode(NodeId node) { return node.value(); }
  [[nodiscard]] static u32 decode(u32 address) { return address; }
};

/// A packet that carries what a policy keeps of its route.
template <class HostPacket, class State>
struct Routed : HostPacket {
  State state;
};
/// What travels in a network whose host sends `HostPacket`s: nothing is added for policies without state.
template <class HostPacket, class State>
using PacketWith = std::conditional_t<std::is_empty_v<State>, HostPacket, Routed<HostPacket, State>>;

}  // namespace weft::models
