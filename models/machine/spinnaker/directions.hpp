// The six directions of a triangular torus in the order of the compass, and as the ports of the topology (x+, x-, y+,
// y-, diagonal+, diagonal-).
#pragma once

#include <array>

#include "engine/base/types.hpp"

namespace weft::models::spinnaker {

/// Ports of links. Outputs of a router are these and `local`; inputs these, by the port that packets come through, and
/// `injection`.
inline constexpr u32 links = 6;
inline constexpr u32 local = 6, injection = 6;
inline constexpr u32 ends = 7;  ///< inputs, or outputs
/// The monitor core's way into the router, beside that of the node in the tree of arbiters.
inline constexpr u32 monitor = 7;

/// Ports counter-clockwise: east, north-east, north, west, south-west, south.
inline constexpr std::array<u8, links> compass{0, 4, 2, 1, 5, 3};

/// The port `steps` of 60 degrees to the left of a port, 0 <= steps < 6.
[[nodiscard]] constexpr u32 turned(u32 port, u32 steps) {
  constexpr std::array<u8, links> place{0, 3, 2, 5, 1, 4};
  return compass[(place[port] + steps) % links];
}
[[nodiscard]] constexpr u32 opposite(u32 port) { return port ^ 1U; }

/// The two sides of the triangle that lead where `port` does: out by the first, on by the second.
[[nodiscard]] constexpr u32 first_side(u32 port) { return turned(port, 1); }
/// The second side, from the first; and the port that both stand for, from the second.
[[nodiscard]] constexpr u32 second_side(u32 first) { return turned(first, 4); }
[[nodiscard]] constexpr u32 detoured_port(u32 second) { return turned(second, 1); }

}  // namespace weft::models::spinnaker
