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

/// The keys of each output alone, and room behind them for those of no output.
struct Survey {
  alignas(64) LeastKeys keys[2 * key_outputs + 8];
};

/// Looks at all outputs of a block; `room`, `open`: those with room, and those with room that nobody holds.
template <class BlockType>
inline void survey_outputs(const BlockType& block, u64 room, u64 open, u32 now, u32 packet_ticks, Survey& survey) {
  // Written with vectors of eight outputs: compilers do not find them in the loop over outputs that this stands for.
  using Eight = u32 __attribute__((vector_size(32)));
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
  constexpr Eight bit_of{1, 2, 4, 8, 16, 32, 64, 128}, ascending{0, 1, 2, 3, 4, 5, 6, 7};
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

}  // namespace weft::models
