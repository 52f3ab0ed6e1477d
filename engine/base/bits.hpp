// Bits of masks that lie in words elsewhere, as many as it takes: what BitSet is for sets of a fixed size.
#pragma once

#include <bit>

#include "engine/base/types.hpp"

namespace weft::engine {

[[nodiscard]] inline bool test_bit(const u64* mask, u32 bit) { return (mask[bit >> 6] >> (bit & 63) & 1) != 0; }
inline void set_bit(u64* mask, u32 bit) { mask[bit >> 6] |= u64{1} << (bit & 63); }
inline void clear_bit(u64* mask, u32 bit) { mask[bit >> 6] &= ~(u64{1} << (bit & 63)); }
[[nodiscard]] inline bool any_bit(const u64* mask, u32 words) {
  for (u32 w = 0; w < words; ++w) {
    if (mask[w] != 0) return true;
  }
  return false;
}

/// Calls f(bit) for the bits that are set in both masks, ascending; those of a word as they were when it came to that.
template <class F>
inline void for_common_bits(const u64* a, const u64* b, u32 words, F&& f) {
  for (u32 w = 0; w < words; ++w) {
    for (u64 left = a[w] & b[w]; left != 0; left &= left - 1) f(w * 64 + static_cast<u32>(std::countr_zero(left)));
  }
}
/// Calls f(bit) for the bits that are set in a mask, ascending; those of a word as they were when it came to that.
template <class F>
inline void for_bits(const u64* mask, u32 words, F&& f) {
  for_common_bits(mask, mask, words, f);
}

}  // namespace weft::engine
