// Random orders of tasks, computed and not stored.
#pragma once

#include <bit>
#include <optional>

#include "engine/random.hpp"

namespace weft::workloads {

/// A random permutation of 0 .. count-1 and its inverse, computed, not stored: a Feistel network (Luby and Rackoff
/// 1988) over the next power of two, walked along until it is back among the count (Black and Rogaway 2002).
class RandomOrder {
 public:
  RandomOrder(u32 count, u64 key)
      : count_(count),
        low_bits_((static_cast<u32>(std::bit_width(count - 1)) + 1) / 2),
        high_bits_(static_cast<u32>(std::bit_width(count - 1)) - low_bits_),
        stages_(count > 256 ? 6 : 12),
        key_(key) {}
  u32 place_of(u32 member) const {
    u64 value = member;
    do {
      for (u32 stage = 0; stage < stages_; ++stage) value = mixed(value, stage);
    } while (value >= count_);
    return static_cast<u32>(value);
  }
  u32 member_at(u32 place) const {
    u64 value = place;
    do {
      for (u32 stage = stages_; stage-- > 0;) value = mixed(value, stage);
    } while (value >= count_);
    return static_cast<u32>(value);
  }

  /// The other member of the random pairs at places 0 and 1, 2 and 3 ...; none for the last one of an odd count.
  std::optional<u32> partner_of(u32 member) const {
    const u32 place = place_of(member) ^ 1;
    return place < count_ ? std::optional(member_at(place)) : std::nullopt;
  }

 private:
  static u64 mask(u32 bits) { return (u64{1} << bits) - 1; }
  /// One half changed by what the other makes of it; the same again undoes it.
  u64 mixed(u64 value, u32 stage) const {
    const u64 high = value >> low_bits_, low = value & mask(low_bits_);
    if (stage % 2 == 0) return value ^ ((engine::remix(key_ + stage, low) & mask(high_bits_)) << low_bits_);
    return value ^ (engine::remix(key_ + stage, high) & mask(low_bits_));
  }

  u32 count_, low_bits_, high_bits_;
  u32 stages_;  ///< few halves need more of them until all orders are equally likely
  u64 key_;
};

}  // namespace weft::workloads
