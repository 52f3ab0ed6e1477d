// What messages cost besides the network: the parameters of LogGOPS, in ticks (docs/programs.md).
#pragma once

#include <cmath>

#include "engine/types.hpp"

namespace weft::workloads {

/// Terms are rounded down each by itself, to multiples of `unit`. A message of 0 bytes counts as one of 1.
struct MessageCosts {
  Tick unit = 1;                   ///< ticks
  Tick overhead = 0;               ///< o
  Tick gap = 0;                    ///< g
  Tick latency = 0;                ///< L, of the ideal network
  double byte_overhead_units = 0;  ///< O, in units a byte
  double byte_gap_units = 0;       ///< G, of the ideal network
  u64 rendezvous_bytes = 0;        ///< S: longer messages are not eager; 0: all are
  friend bool operator==(const MessageCosts&, const MessageCosts&) = default;

  /// That a stream is held at either end.
  [[nodiscard]] Tick cpu(u64 bytes) const { return overhead + each(bytes, byte_overhead_units); }
  /// That the sending side of a NIC is held.
  [[nodiscard]] Tick sending(u64 bytes) const { return gap + each(bytes, byte_gap_units); }
  /// From the end of the sender's overhead until it is whole at the receiver.
  [[nodiscard]] Tick flight(u64 bytes) const { return latency + each(bytes, byte_gap_units); }
  [[nodiscard]] bool eager(u64 bytes) const { return rendezvous_bytes == 0 || bytes <= rendezvous_bytes; }

 private:
  [[nodiscard]] Tick each(u64 bytes, double units) const {
    if (units == 0 || bytes <= 1) return 0;
    return static_cast<Tick>(std::floor(static_cast<double>(bytes - 1) * units)) * unit;
  }
};

}  // namespace weft::workloads
