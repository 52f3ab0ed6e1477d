// Counter-based random numbers: a pure function of (seed, who, when, what for), so there is no generator state to keep,
// to migrate between ranks or to save, and the same draw comes out wherever it is made.
#pragma once

#include <Random123/philox.h>

#include "engine/base/types.hpp"

namespace weft::engine {

/// What a draw is for; separates streams that share entity and tick.
enum class Use : u32 {
  source_gap,
  source_destination,
  arbitration,
  routing,
  priority,
  kernel,
  test,
  targets,
  placement,
  marking,
  dispersion,
  link_errors,
  failures,
  resends
};

/// 64 random bits for (seed, entity, counter, use). Philox 2x64 with 6 rounds, the fewest that pass BigCrush
/// (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011).
[[nodiscard]] inline u64 random_bits(u64 seed, u32 entity, u64 counter, Use use) {
  using Generator = r123::Philox2x64_R<6>;
  const Generator::ctr_type block{{counter, (static_cast<u64>(entity) << 8) | static_cast<u64>(use)}};
  return Generator{}(block, Generator::key_type{{seed}})[0];
}

/// Maps 64 random bits onto 0..bound-1 (multiply-shift; bias below bound / 2^64).
[[nodiscard]] inline u32 scale_to(u64 bits, u32 bound) {
  return static_cast<u32>((static_cast<u128>(bits) * bound) >> 64);
}

/// Maps 64 random bits onto the open interval (0, 1).
[[nodiscard]] inline double to_unit(u64 bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

/// Derives further 64-bit draws from one: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] inline u64 remix(u64 bits, u64 index) {
  u64 z = bits + (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace weft::engine
