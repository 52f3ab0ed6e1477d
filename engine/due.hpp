// Which of many times have come, without a branch for each: which have is as good as random.
#pragma once

#include <algorithm>
#include <cstring>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Elements that `due` reads at a time: arrays of times are as much longer than what is asked for.
inline constexpr u32 due_lanes = 4;

/// Elements of `set` with times[element] <= now; `next` falls to the earliest of the others. `times` has `count`
/// elements, at most 64, and due_lanes - 1 besides whose values do not matter.
[[nodiscard]] inline u64 due(const Tick* times, u32 count, u64 set, Tick now, Tick& next) {
  using Lanes = u64 __attribute__((vector_size(8 * due_lanes)));
  Lanes element{1, 2, 4, 8}, come{}, earliest = Lanes{} + never;
  for (u32 first = 0; first < count; first += due_lanes, element <<= due_lanes) {
    Lanes time;
    std::memcpy(&time, times + first, sizeof time);
    const Lanes of_set = (set & element);
    const Lanes later = reinterpret_cast<Lanes>(time > now);
    come |= of_set & ~later;
    const Lanes waits = of_set != 0 ? (later != 0 ? time : Lanes{} + never) : Lanes{} + never;
    earliest = waits < earliest ? waits : earliest;
  }
  for (u32 lane = 0; lane < due_lanes; ++lane) next = std::min(next, earliest[lane]);
  return come[0] | come[1] | come[2] | come[3];
}

}  // namespace weft::engine
