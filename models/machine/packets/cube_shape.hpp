// The block of a cube router whose dimensions and virtual channels are known when the program is compiled.
#pragma once

#include <array>

#include "models/machine/packets/shape.hpp"

namespace weft::models {

/// Sets of inputs that a cube router keeps: who may go adaptively through port p, whose escape channel is at port p,
/// who has arrived.
[[nodiscard]] constexpr u32 cube_wants(u32 ports) { return 2 * ports + 1; }

/// Slot of an output of a cube router. The ports of one channel follow each other: packets choose from the adaptive
/// ones of all ports.
[[nodiscard]] constexpr u32 cube_slot(u32 output, u32 ports, u32 virtual_channels) {
  return output % virtual_channels * ports + output / virtual_channels;
}

/// Like Shape, for 2 * `Dimensions` ports and `Channels` virtual channels. Loops over ports and the addresses of what
/// lies in a block become constants: a tenth faster.
template <u32 Dimensions, u32 Channels>
struct CubeShape {
  static constexpr u32 ports = 2 * Dimensions, channels = ports * Channels, kind = 0;
  static constexpr bool endpoint = true, nic = false;
  u32 inputs = 0;
  u32 queue_packets = 0, injection_capacity = 0;
  u32 extras_at = 0, packets_at = 0, bytes = 0;

 private:
  static constexpr Shape plan = [] {
    Shape shape;
    shape.ports = ports;
    shape.channels = channels;
    lay_out_outputs<1>(shape, cube_wants(ports));
    return shape;
  }();

 public:
  static constexpr u32 wants_at = plan.wants_at, ports_at = plan.ports_at, used_at = plan.used_at,
                       flags_at = plan.flags_at, watched_at = plan.watched_at, owner_at = plan.owner_at,
                       last_winner_at = plan.last_winner_at, send_start_at = plan.send_start_at,
                       drain_base_at = plan.drain_base_at, work_at = plan.work_at, hot = plan.hot,
                       lanes_at = plan.lanes_at;
  static constexpr std::array<u16, channels> port_of = [] {
    std::array<u16, channels> table{};
    for (u32 c = 0; c < channels; ++c) table[c] = static_cast<u16>(c / Channels);
    return table;
  }();
  static constexpr std::array<u16, channels + 1> slot_of = [] {
    std::array<u16, channels + 1> table{};
    for (u32 o = 0; o < channels; ++o) table[o] = static_cast<u16>(cube_slot(o, ports, Channels));
    table[channels] = channels;
    return table;
  }();
};

}  // namespace weft::models
