// A 128-bit fingerprint of an event history that does not depend on the order in which the events are added.
#pragma once

#include <string>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Sum modulo 2^128 of a mixed 128-bit value per event: any order and any split over ranks gives the same digest.
class Digest {
 public:
  /// Adds the event described by three words (who, when, what).
  void add(u64 who, u64 when, u64 what) {
    const u128 a = static_cast<u128>(who ^ 0xa0761d6478bd642fULL) * (when ^ 0xe7037ed1a0b428dbULL);
    const u64 folded = static_cast<u64>(a) ^ static_cast<u64>(a >> 64);
    const u128 b = static_cast<u128>(folded ^ 0x8ebc6af09c88c6e3ULL) * (what ^ (when * 0x589965cc75374cc3ULL) ^ who);
    sum_ += b ^ (static_cast<u128>(folded) << 64 | folded);
  }
  void add(const Digest& other) { sum_ += other.sum_; }
  void add_words(u64 low, u64 high) { sum_ += static_cast<u128>(high) << 64 | low; }
  [[nodiscard]] u64 low() const { return static_cast<u64>(sum_); }
  [[nodiscard]] u64 high() const { return static_cast<u64>(sum_ >> 64); }
  /// 32 lower-case hex digits.
  [[nodiscard]] std::string hex() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(32, '0');
    for (int i = 0; i < 32; ++i) text[31 - i] = digits[static_cast<unsigned>(sum_ >> (4 * i)) & 15U];
    return text;
  }
  friend bool operator==(const Digest&, const Digest&) = default;

 private:
  u128 sum_ = 0;
};

}  // namespace weft::engine
