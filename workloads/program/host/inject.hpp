// How hosts hand packets to networks: to those that take any length with their cells, to others without.
#pragma once

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Networks whose packets have any length from 1 to packet.phits cells. Others have one length, packet.phits.
template <class Net>
concept TakesAnyLength = requires {
  requires Net::any_length;
};

/// net.inject of a packet; `cells()` is asked for its length by networks that take any.
template <class Net, class Packet, class Cells>
bool inject(Net& net, u32 entity, const Packet& packet, Tick tick, u64 bits, Cells&& cells) {
  if constexpr (TakesAnyLength<Net>) {
    return net.inject(entity, packet, tick, bits, cells());
  } else {
    return net.inject(entity, packet, tick, bits);
  }
}

/// Hands over a packet that was generated at tick `generated_at`, perhaps before this one: in its source's queue it is
/// none of the network's. Machines of their own go by the tick for nothing but the packet's generation.
template <class Net, class Packet, class Cells>
bool inject_late(Net& net, u32 entity, const Packet& packet, Tick tick, Tick generated_at, u64 bits, Cells&& cells) {
  if constexpr (requires { net.inject(entity, packet, tick, bits, generated_at); } && !TakesAnyLength<Net>) {
    return net.inject(entity, packet, tick, bits, generated_at);
  } else {
    return inject(net, entity, packet, generated_at, bits, cells);
  }
}

}  // namespace weft::workloads
