// Hops that a packet has to go in each dimension of a Lattice, packed into 64 bits of its RouteState.
#pragma once

#include <array>
#include <bit>

#include "models/topology/lattice.hpp"

namespace weft::models {

/// A bit field for each dimension, biased so that it is never negative.
class PackedRecord {
 public:
  /// Throws ConfigError if the records of the lattice do not fit.
  explicit PackedRecord(const Lattice& lattice);
  /// Records of so many dimensions with so many hops at most in each; `name` of the network, for the error.
  PackedRecord(u32 dimensions, u32 longest, const std::string& name);

  [[nodiscard]] u32 dimensions() const { return dimensions_; }
  [[nodiscard]] u64 pack(const Lattice::Record& hops) const {
    u64 word = 0;
    for (u32 d = 0; d < dimensions_; ++d) word |= static_cast<u64>(hops[d] + bias_) << (d * bits_);
    return word;
  }
  /// Hops to go in a dimension, up positive.
  [[nodiscard]] i32 hops(u64 word, u32 d) const {
    return static_cast<i32>(word >> (d * bits_) & ((u64{1} << bits_) - 1)) - bias_;
  }
  /// The record after a hop through a port.
  [[nodiscard]] u64 after(u64 word, u32 port) const {
    const u64 one = u64{1} << (port / 2 * bits_);
    return port % 2 == 0 ? word - one : word + one;
  }
  /// Port that leads closer in a dimension in which there are hops to go.
  [[nodiscard]] static u32 port(u32 d, i32 hops_to_go) { return 2 * d + (hops_to_go < 0 ? 1 : 0); }
  /// Ports that lead closer, bit mask; the lowest is that of dimension order.
  [[nodiscard]] u32 profitable(u64 word) const {
    u32 ports = 0;
    for (u32 d = 0; d < dimensions_; ++d) {
      const i32 to_go = hops(word, d);
      if (to_go != 0) ports |= 1U << port(d, to_go);
    }
    return ports;
  }
  /// The profitable port with most hops to go, the lowest of several; 0 if there is none.
  [[nodiscard]] u32 longest(u64 word) const;

 private:
  u32 dimensions_, bits_;
  i32 bias_;
};

}  // namespace weft::models
