// Several words at once, for loops whose branches would be as good as random: compilers do not find these vectors
// themselves.
#pragma once

#include <array>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "engine/base/types.hpp"
#include "models/machine/packets/block.hpp"

namespace weft::models {

/// Four sets of inputs or outputs.
using Four = u64 __attribute__((vector_size(32)));
inline constexpr Four ascending_four{0, 1, 2, 3};
[[nodiscard]] inline Four load_four(const void* sets) {
  Four four;
  std::memcpy(&four, sets, sizeof four);
  return four;
}
inline void store_four(void* sets, const Four& four) { std::memcpy(sets, &four, sizeof four); }
/// Union of the four.
[[nodiscard]] inline u64 joined(Four four) {
  four |= __builtin_shufflevector(four, four, 2, 3, 0, 1);
  return four[0] | four[1];
}

/// The sets with one element each.
inline constexpr std::array<u64, 64> singles = [] {
  std::array<u64, 64> sets{};
  for (u32 k = 0; k < sets.size(); ++k) sets[k] = u64{1} << k;
  return sets;
}();
/// Four of `singles`, from `first` on, a multiple of 4.
[[nodiscard]] inline Four single(u32 first) { return load_four(&singles[first]); }
/// The elements of `sets` whose partner in `masks` has elements in common with `with`; the others empty.
[[nodiscard]] inline Four where_meeting(Four sets, Four masks, u64 with) {
  return sets & reinterpret_cast<Four>((masks & with) != 0);
}

/// Eight outputs, or packets.
using Eight = u32 __attribute__((vector_size(32)));
inline constexpr Eight ascending{0, 1, 2, 3, 4, 5, 6, 7};
[[nodiscard]] inline Eight load_eight(const u32* words) {
  Eight eight;
  std::memcpy(&eight, words, sizeof eight);
  return eight;
}
inline void store_eight(u32* words, const Eight& eight) { std::memcpy(words, &eight, sizeof eight); }
[[nodiscard]] inline Eight widen_eight(const u8* bytes) {
#if defined(__AVX2__)
  // One instruction, which GCC 12 does not find by itself.
  return reinterpret_cast<Eight>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
#else
  u32 low, high;
  std::memcpy(&low, bytes, 4);
  std::memcpy(&high, bytes + 4, 4);
  return (Eight{low, low, low, low, high, high, high, high} >> Eight{0, 8, 16, 24, 0, 8, 16, 24}) & 0xffU;
#endif
}
[[nodiscard]] inline Eight lesser(Eight a, Eight b) { return a < b ? a : b; }
[[nodiscard]] inline u32 least_of(Eight eight) {
  eight = lesser(eight, __builtin_shufflevector(eight, eight, 4, 5, 6, 7, 0, 1, 2, 3));
  eight = lesser(eight, __builtin_shufflevector(eight, eight, 2, 3, 0, 1, 6, 7, 4, 5));
  eight = lesser(eight, __builtin_shufflevector(eight, eight, 1, 0, 3, 2, 5, 4, 7, 6));
  return eight[0];
}
/// `eight` where the bit of an element is set, elsewhere all ones.
[[nodiscard]] inline Eight or_all_ones(Eight eight, u32 bits) { return eight | ((bits >> ascending & 1U) - 1U); }
/// Bits of the first elements, if `left` are left.
[[nodiscard]] inline u32 first_bits(u32 left) { return left >= 8 ? 0xffU : (1U << left) - 1; }
/// Bit k: whether element k is `value`.
[[nodiscard]] inline u32 bits_where(Eight eight, u32 value) {
#if defined(__AVX2__)
  return static_cast<u32>(_mm256_movemask_ps(reinterpret_cast<__m256>(eight == value)));
#else
  Eight bits = reinterpret_cast<Eight>(eight == value) & Eight{1, 2, 4, 8, 16, 32, 64, 128};
  bits |= __builtin_shufflevector(bits, bits, 4, 5, 6, 7, 0, 1, 2, 3);
  bits |= __builtin_shufflevector(bits, bits, 2, 3, 0, 1, 6, 7, 4, 5);
  return bits[0] | bits[1];
#endif
}

/// What is known of the far queues of eight outputs, from slot `slot` on; see occupancy_of. May read beyond the
/// outputs, into what follows in the block.
struct EightOccupancies {
  Eight ticks;    ///< occupied, in ticks of link time
  Eight leaving;  ///< part of it that will leave by the drain in progress
  Eight sends;    ///< 1: a packet is being sent there
};
template <class BlockType>
[[nodiscard]] inline EightOccupancies eight_occupancies(const BlockType& block, u32 slot, u32 now, u32 packet_ticks) {
  const Eight flag = widen_eight(&block.flags(slot));
  const Eight sends = flag & 1U, drains = 0U - (flag >> 1U & 1U), none{};
  const Eight gone = now - load_eight(&block.drain_base(slot));
  const Eight left = gone < packet_ticks ? packet_ticks - gone : none;
  const Eight ticks = widen_eight(&block.used(slot)) * packet_ticks -
                      ((packet_ticks - (now - load_eight(&block.send_start(slot)))) & (0U - sends)) -
                      ((packet_ticks - left) & drains);
  return {ticks, left & drains, sends};
}

/// Ticks until an open channel can be as empty as the held one that a packet would rather have, all ones if only an
/// event can bring that about; a lower bound. The held one fills up if it is being sent to (`fills`: 1), and empties
/// for `held_drain` more ticks. `gap`: what the emptiest open one holds more now, in ticks of link time; `floor_gap`:
/// what the one that will be emptiest once its drain is over will hold more then than the held one now.
template <class Vector>
[[nodiscard]] inline Vector ticks_to_overtake(Vector gap, Vector floor_gap, Vector fills, Vector held_drain) {
  using Signed = decltype(gap > gap);
  constexpr Vector none{}, all = none - 1U;
  const Signed floor = reinterpret_cast<Signed>(floor_gap);
  // At first the held one stays as it is while open ones empty, then it fills while they empty.
  const Vector meet = gap <= held_drain ? gap : (gap + held_drain + 1U) >> 1U;
  const Vector filled = floor > 0 ? held_drain + floor_gap : none;
  const Vector when = filled > meet ? filled : meet;
  const Vector unfilled = -floor >= reinterpret_cast<Signed>(held_drain) ? held_drain + gap : all;
  return (fills & 1U) != 0U ? when : unfilled;
}

}  // namespace weft::models
