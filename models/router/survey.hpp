// All outputs of a router looked at in one go: the keys by which packets choose the least occupied one, as vectors.
#pragma once

#include <cstring>

#include "models/router/block.hpp"

namespace weft::models {

/// Least keys of some outputs; a key is occupancy in ticks of link time * 64 + output, or all ones if there is none. Element
/// `best`: among those with room; `best_open`: among those with room that nobody holds; `floor`: among the latter, the
/// occupancy that will be left when the drains under way are over.
using LeastKeys = u32 __attribute__((vector_size(16)));
inline constexpr u32 key_best = 0, key_best_open = 1, key_floor = 2;
inline constexpr u32 key_bits = 6, key_outputs = 1U << key_bits;
inline constexpr LeastKeys no_keys = {~0U, ~0U, ~0U, ~0U};

[[nodiscard]] inline LeastKeys least(LeastKeys a, LeastKeys b) { return a < b ? a : b; }

/// Whether keys of queues of so many packets fit into 32 bits.
[[nodiscard]] inline bool keys_fit(const RouterSettings& s) {
  return (s.queue_packets + 2) * s.packet_ticks < (~0U >> 1) / key_outputs;
}

/// Eight outputs, or packets, at once: compilers do not find these vectors in the loops that they stand for.
using Eight = u32 __attribute__((vector_size(32)));
inline constexpr Eight ascending{0, 1, 2, 3, 4, 5, 6, 7};

/// The keys of each output alone, and room behind them for those of no output.
struct Survey {
  alignas(64) LeastKeys keys[2 * key_outputs + 8];
  alignas(
      64) u32 drift[key_outputs + 8];  ///< how its occupancy will change: ticks of drain left * 2 + (1 if it fills up)
};

/// Looks at all outputs of a block. `room`, `open`: those with room, and those with room that nobody holds; `starting`: those
/// whose link is about to take a packet, perhaps theirs.
template <class BlockType>
inline void survey_outputs(const BlockType& block, u64 room, u64 open, u64 starting, u32 now, u32 packet_ticks,
                           Survey& survey) {
  const auto widen = [](const u8* bytes) {
    u32 low, high;
    std::memcpy(&low, bytes, 4);
    std::memcpy(&high, bytes + 4, 4);
    return (Eight{low, low, low, low, high, high, high, high} >> Eight{0, 8, 16, 24, 0, 8, 16, 24}) & 0xffU;
  };
  const auto load = [](const u32* words) {
    Eight eight;
    std::memcpy(&eight, words, 32);
    return eight;
  };
  const u8* const used = &block.used(0);
  const u8* const flags = &block.flags(0);
  const u32* const send_start = &block.send_start(0);
  const u32* const drain_base = &block.drain_base(0);
  constexpr Eight bit_of{1, 2, 4, 8, 16, 32, 64, 128};
  for (u32 at = 0; at < block.shape->padded; at += 8) {
    const Eight flag = widen(flags + at);
    const Eight sends = 0U - (flag & 1U), drains = 0U - (flag >> 1U & 1U);
    const Eight gone = now - load(drain_base + at), none{};
    const Eight leaving = gone < packet_ticks ? packet_ticks - gone : none;
    const Eight ticks = widen(used + at) * packet_ticks - ((packet_ticks - (now - load(send_start + at))) & sends) -
                        ((packet_ticks - leaving) & drains);
    const Eight key = ticks * key_outputs + (ascending + at);
    const Eight no_room = (bit_of & static_cast<u32>(room >> at)) == 0U,
                closed = (bit_of & static_cast<u32>(open >> at)) == 0U;
    const Eight best = key | no_room, best_open = key | closed;
    const Eight floor = (key - (leaving & drains) * key_outputs) | closed;
    const Eight starts = (bit_of & static_cast<u32>(starting >> at)) != 0U;
    const Eight drift = (leaving & drains) * 2U + ((sends | starts) & 1U);
    std::memcpy(survey.drift + at, &drift, 32);
    // Transposed: the keys of each output side by side.
    const Eight low = __builtin_shufflevector(best, best_open, 0, 8, 1, 9, 4, 12, 5, 13);
    const Eight high = __builtin_shufflevector(best, best_open, 2, 10, 3, 11, 6, 14, 7, 15);
    const Eight low_floor = __builtin_shufflevector(floor, floor, 0, 0, 1, 1, 4, 4, 5, 5);
    const Eight high_floor = __builtin_shufflevector(floor, floor, 2, 2, 3, 3, 6, 6, 7, 7);
    const Eight rows[4] = {__builtin_shufflevector(low, low_floor, 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(low, low_floor, 2, 3, 10, 11, 6, 7, 14, 15),
                           __builtin_shufflevector(high, high_floor, 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(high, high_floor, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (u32 k = 0; k < 4; ++k) {
      survey.keys[at + k] = __builtin_shufflevector(rows[k], rows[k], 0, 1, 2, 3);
      survey.keys[at + 4 + k] = __builtin_shufflevector(rows[k], rows[k], 4, 5, 6, 7);
    }
  }
}

/// Packets that would rather have a held output than an open one.
struct Insisting {
  u32 count = 0;
  alignas(64) u32 best[key_outputs + 8], best_open[key_outputs + 8], floor[key_outputs + 8];  ///< their keys
  alignas(64) u32 drift[key_outputs + 8];                                                     ///< of the held output

  /// Adds a packet if `yes` (0 or 1); without a branch.
  void add_if(u32 yes, LeastKeys keys, const Survey& survey) {
    best[count] = keys[key_best];
    best_open[count] = keys[key_best_open];
    floor[count] = keys[key_floor];
    drift[count] = survey.drift[keys[key_best] % key_outputs];
    count += yes;
  }
  /// Ticks until an open output can be as good as the held one for one of them, or `never` if only events can bring that
  /// about: the held one is freed, an open one begins to drain. See ticks_to_overtake.
  [[nodiscard]] Tick until_overtaken() const {
    using Signed = i32 __attribute__((vector_size(32)));
    const auto load = [](const u32* words) {
      Eight eight;
      std::memcpy(&eight, words, 32);
      return eight;
    };
    constexpr Eight none{}, all = none - 1U;
    Eight soonest = all;
    for (u32 at = 0; at < count; at += 8) {
      const Eight from = load(best + at), change = load(drift + at), held_drain = change >> 1U;
      // The lower index wins a tie, so differences of keys, rounded up, are what is to be made good.
      const Eight gap = (load(best_open + at) - from + (key_outputs - 1)) >> key_bits;
      const Signed floor_gap = reinterpret_cast<Signed>(load(floor + at) - from + (key_outputs - 1)) >> key_bits;
      const Eight meet = gap <= held_drain ? gap : (gap + held_drain + 1U) >> 1U;
      const Eight filled = floor_gap > 0 ? held_drain + reinterpret_cast<Eight>(floor_gap) : none;
      const Eight when = filled > meet ? filled : meet;
      const Eight unfilled = -floor_gap >= reinterpret_cast<Signed>(held_drain) ? held_drain + gap : all;
      const Eight ticks = (change & 1U) != 0U ? when : unfilled;
      const Eight counted = ascending + at < count ? ticks : all;
      soonest = counted < soonest ? counted : soonest;
    }
    u32 least = soonest[0];
    for (u32 k = 1; k < 8; ++k) least = soonest[k] < least ? soonest[k] : least;
    return least == ~0U ? never : Tick{least};
  }
};

}  // namespace weft::models
