// In which order the ports of a rotary router stand on its two rings.
#pragma once

#include <array>

#include "models/topology/lattice.hpp"

namespace weft::models::rotary {

/// The ports of a router on a circle: the ways up in all dimensions, then those down, with the node before the last of
/// them; in two dimensions east, north, west, node, south. Places are numbers on the circle.
class PortCircle {
 public:
  static constexpr u32 most = 2 * Lattice::most_dimensions + 1;

  explicit PortCircle(u32 dimensions) : places_(2 * dimensions + 1) {
    u32 place = 0;
    for (u32 d = 0; d < dimensions; ++d) put(place++, 2 * d);
    for (u32 d = 0; d + 1 < dimensions; ++d) put(place++, 2 * d + 1);
    put(place++, node());
    put(place++, 2 * dimensions - 1);
  }

  [[nodiscard]] u32 places() const { return places_; }
  /// In place of a port: the way to and from the node.
  [[nodiscard]] u32 node() const { return places_ - 1; }
  [[nodiscard]] u32 port(u32 place) const { return port_[place]; }
  [[nodiscard]] u32 place(u32 port) const { return place_[port]; }
  /// The next place on ring 0, which goes up, or ring 1, which goes down.
  [[nodiscard]] u32 next(u32 ring, u32 place) const {
    if (ring == 0) return place + 1 == places_ ? 0 : place + 1;
    return place == 0 ? places_ - 1 : place - 1;
  }

 private:
  void put(u32 place, u32 port) {
    port_[place] = static_cast<u8>(port);
    place_[port] = static_cast<u8>(place);
  }

  u32 places_;
  std::array<u8, most> port_{}, place_{};
};

}  // namespace weft::models::rotary
