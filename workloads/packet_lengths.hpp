// How hosts hand packets to networks: to those that take any length with their cells, to others without.
#pragma once

#include "engine/random.hpp"
#include "engine/types.hpp"

namespace weft::workloads {

/// Networks whose packets have any length from 1 to packet.phits cells. Others have one length, packet.phits.
template <class Net>
concept TakesAnyLength = requires {
  requires Net::any_length;
};

/// Lengths that packets are drawn with, each with the same chance.
struct CellRange {
  u32 least = 1, most = 1;
  [[nodiscard]] double mean() const { return 0.5 * (static_cast<double>(least) + static_cast<double>(most)); }
  /// The length of the packet that `bits` were drawn for.
  [[nodiscard]] u32 draw(u64 bits) const {
    constexpr u64 place = 0x1e57;  // among the draws made of the same bits, by sources and by routers
    return least + engine::scale_to(engine::remix(bits, place), most - least + 1);
  }
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

/// The same of a packet that was generated at tick `birth`, perhaps before this one: in its source's queue it is none
/// of the network's. Machines of their own go by the tick for nothing but the packet's birth.
template <class Net, class Packet, class Cells>
bool inject_late(Net& net, u32 entity, const Packet& packet, Tick tick, Tick birth, u64 bits, Cells&& cells) {
  if constexpr (requires { net.inject(entity, packet, tick, bits, birth); } && !TakesAnyLength<Net>) {
    return net.inject(entity, packet, tick, bits, birth);
  } else {
    return inject(net, entity, packet, birth, bits, cells);
  }
}

}  // namespace weft::workloads
