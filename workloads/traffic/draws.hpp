// Draws that laws of arrivals make of the bits of a packet or a period.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/random.hpp"
#include "workloads/traffic/arrival_law.hpp"

namespace weft::workloads {

/// Bits of a packet of a source: those that Bernoulli sources draw their gaps with.
[[nodiscard]] inline u64 bits_of_packet(u64 seed, u32 source, u64 number) {
  return engine::random_bits(seed, source, number, engine::Use::source_gap);
}
/// Bits of a period of a source; no packet has a number so large.
[[nodiscard]] inline u64 bits_of_period(u64 seed, u32 source, u64 period) {
  return engine::random_bits(seed, source, (u64{1} << 48) + period, engine::Use::source_gap);
}

/// Number of the first success of Bernoulli trials with this chance, at least 1.
[[nodiscard]] inline u64 first_success(double chance, u64 bits) {
  if (chance >= 1) return 1;
  const double trials = std::log(engine::to_unit(bits)) / std::log1p(-chance);
  return trials < static_cast<double>(Arrivals::most_cycles) ? 1 + static_cast<u64>(trials) : Arrivals::most_cycles;
}

/// A whole number of cycles whose mean is `cycles`: rounded up or down by chance.
[[nodiscard]] inline u64 rounded_by_chance(double cycles, u64 bits) {
  return static_cast<u64>(std::min(cycles, static_cast<double>(Arrivals::most_cycles)) + engine::to_unit(bits));
}

}  // namespace weft::workloads
