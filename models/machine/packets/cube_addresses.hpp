// Addresses of nodes of a mesh or torus, and the directions that lead from one to another.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "engine/base/types.hpp"
#include "models/core/packet.hpp"
#include "models/topology/grid.hpp"

namespace weft::models {

/// Packed coordinates: one bit field per dimension. Direction 2d goes up in dimension d, 2d+1 down.
class CubeAddresses {
 public:
  CubeAddresses() = default;
  /// Throws ConfigError if the coordinates do not fit into the address of a packet.
  explicit CubeAddresses(const CubeGeometry& cube);

  [[nodiscard]] u32 encode(NodeId node) const;
  [[nodiscard]] u32 decode(u32 address) const;
  [[nodiscard]] u32 distance(u32 from, u32 to) const;
  /// Directions of shortest paths from `place`, bit mask. `Dimensions`: how many there are, 0 = as the constructor was
  /// told. Both ways round a ring are equally short: the packet has drawn one.
  template <u32 Dimensions = 0>
  [[nodiscard]] u32 profitable(const Packet& packet, u32 place) const {
    const u32 dimensions = Dimensions != 0 ? Dimensions : dimensions_;
    using Lanes = u32 __attribute__((vector_size(16)));
    const auto load = [](const std::array<u32, 16>& fields, u32 d) {
      Lanes lanes;
      std::memcpy(&lanes, &fields[d], sizeof lanes);
      return lanes;
    };
    Lanes directions{};
    for (u32 d = 0; d < dimensions; d += 4) {  // four dimensions at once; those that are not there have no bits
      const Lanes shift = load(shift_, d), mask = load(mask_, d);
      const Lanes to = (packet.to >> shift) & mask, here = (place >> shift) & mask;
      Lanes down = (to - here) >> 31;  // 1 if the coordinate is to become smaller; coordinates are below 2^31
      if (wraps_) {
        const Lanes size = load(around_, d), up_hops = to - here + (size & (0U - down)), down_hops = size - up_hops;
        const Lanes drawn = static_cast<u32>(packet.ties) >> (d % 8) >> Lanes{0, 1, 2, 3};
        down = (down_hops - up_hops) >> 31;
        down |= static_cast<Lanes>(up_hops == down_hops) & drawn & 1U;
      }
      directions |= static_cast<Lanes>(to != here) & (Lanes{1, 4, 16, 64} << down << 2 * d);
    }
    directions |= __builtin_shufflevector(directions, directions, 2, 3, 0, 1);
    return directions[0] | directions[1];
  }
  /// The profitable direction with most hops to go, the lowest of several; 0 for a packet that has arrived.
  [[nodiscard]] u32 longest_direction(const Packet& packet, u32 place) const;

 private:
  [[nodiscard]] u32 coordinate(u32 address, u32 d) const { return (address >> shift_[d]) & mask_[d]; }
  [[nodiscard]] u32 hops(u32 from, u32 to, u32 d) const;

  /// More than any coordinate twice, so that nobody goes round; differences still fit into 31 bits.
  static constexpr u32 endless = u32{1} << 30;
  static_assert(Packet::address_bits < 29);

  u32 dimensions_ = 0;
  bool wraps_ = false;                             ///< some dimension is a ring
  std::array<u32, 16> shift_{}, mask_{}, size_{};  ///< bit field and number of a coordinate's values, [dimension]
  std::array<u32, 16> around_{};                   ///< hops round the ring, `endless` of a line, [dimension]
};

}  // namespace weft::models
