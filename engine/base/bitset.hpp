// A fixed-size set of small integers as machine words, with the scans that arbiters need.
#pragma once

#include <bit>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "engine/base/types.hpp"

namespace weft::engine {

/// Set of integers below 64 * Words. With Words = 1 everything compiles to single instructions.
template <unsigned Words>
struct BitSet {
  u64 word[Words] = {};

  static constexpr unsigned capacity = 64 * Words;

  void set(u32 bit) { word[bit >> 6] |= u64{1} << (bit & 63); }
  /// Sets the bit if `yes`, without a branch.
  void set_if(u32 bit, bool yes) { word[bit >> 6] |= u64{yes} << (bit & 63); }
  /// Adds first + k for the bits k of `bits`, up to 8; those that are set must be below the capacity.
  void set_eight(u32 first, u32 bits) {
    const u32 shift = first & 63;
    word[first >> 6] |= u64{bits} << shift;
    if (Words > 1 && shift > 56 && (first >> 6) + 1 < Words) word[(first >> 6) + 1] |= u64{bits} >> (64 - shift);
  }
  void clear(u32 bit) { word[bit >> 6] &= ~(u64{1} << (bit & 63)); }
  [[nodiscard]] bool test(u32 bit) const { return (word[bit >> 6] >> (bit & 63)) & 1; }
  [[nodiscard]] bool any() const {
    u64 all = 0;
    for (unsigned w = 0; w < Words; ++w) all |= word[w];
    return all != 0;
  }
  /// Whether there is exactly one element.
  [[nodiscard]] bool single() const {
    if constexpr (Words == 1) return std::has_single_bit(word[0]);
    bool one = false;
    for (unsigned w = 0; w < Words; ++w) {
      if (word[w] == 0) continue;
      if (one || (word[w] & (word[w] - 1)) != 0) return false;
      one = true;
    }
    return one;
  }
  [[nodiscard]] u32 count() const {
    u32 sum = 0;
    for (unsigned w = 0; w < Words; ++w) sum += static_cast<u32>(std::popcount(word[w]));
    return sum;
  }
  friend BitSet operator&(const BitSet& a, const BitSet& b) {
    BitSet result;
    for (unsigned w = 0; w < Words; ++w) result.word[w] = a.word[w] & b.word[w];
    return result;
  }
  /// Elements of a that are not in b.
  friend BitSet without(const BitSet& a, const BitSet& b) {
    BitSet result;
    for (unsigned w = 0; w < Words; ++w) result.word[w] = a.word[w] & ~b.word[w];
    return result;
  }
  BitSet& operator|=(const BitSet& other) {
    for (unsigned w = 0; w < Words; ++w) word[w] |= other.word[w];
    return *this;
  }
  /// This set if `yes`, else the empty one; without a branch.
  [[nodiscard]] BitSet if_so(bool yes) const {
    BitSet result;
    for (unsigned w = 0; w < Words; ++w) result.word[w] = word[w] & (0 - u64{yes});
    return result;
  }
  /// The range [first, first + count).
  static BitSet range(u32 first, u32 count) {
    BitSet result;
    for (u32 i = first; i < first + count; ++i) result.set(i);
    return result;
  }
  /// Smallest element >= from, or `capacity`.
  [[nodiscard]] u32 next(u32 from) const {
    if (from >= capacity) return capacity;
    unsigned w = from >> 6;
    u64 bits = word[w] & (~u64{0} << (from & 63));
    while (bits == 0) {
      if (++w == Words) return capacity;
      bits = word[w];
    }
    return 64 * w + static_cast<u32>(std::countr_zero(bits));
  }
  /// Smallest element >= from, else the smallest of all; the set must not be empty.
  [[nodiscard]] u32 next_cyclic(u32 from) const {
    const u32 found = next(from);
    return found != capacity ? found : next(0);
  }
  /// The element with exactly `rank` smaller ones; rank < count().
  [[nodiscard]] u32 nth(u32 rank) const {
    for (unsigned w = 0;; ++w) {
      const u32 here = static_cast<u32>(std::popcount(word[w]));
      if (rank < here) {
#if defined(__BMI2__)
        const u64 bits = _pdep_u64(u64{1} << rank, word[w]);
#else
        u64 bits = word[w];
        while (rank-- > 0) bits &= bits - 1;
#endif
        return 64 * w + static_cast<u32>(std::countr_zero(bits));
      }
      rank -= here;
    }
  }
  /// Calls f(element) for all elements in increasing order; f may change the set it came from.
  template <class F>
  void for_each(F&& f) const {
    for (unsigned w = 0; w < Words; ++w) {
      for (u64 bits = word[w]; bits != 0; bits &= bits - 1) f(64 * w + static_cast<u32>(std::countr_zero(bits)));
    }
  }
};

}  // namespace weft::engine
