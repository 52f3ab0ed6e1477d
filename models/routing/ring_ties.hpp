// Which direction packets take in a ring where both are equally short: at random, or by a rule.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/meaning.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/types.hpp"

namespace weft::models {

/// How many random bits, from 0 up, say all there is to say of the ways round so many rings: bit d % 8 of dimension d.
[[nodiscard]] inline u32 ring_directions(u32 dimensions) { return 1U << std::min(dimensions, 8U); }

/// router.ties. Routings tell equally short paths of dimension d apart by bit d % 8 of a packet's random bits (0: up).
class RingTies {
 public:
  RingTies() = default;
  /// `sizes`: of the grid, first dimension fastest.
  RingTies(const Parameters& own, std::vector<u32> sizes) : sizes_(std::move(sizes)) {
    enum class Rule : u8 { random, up, down, inside, card };
    const Rule rule = !own.has("ties") ? Rule::random
                                       : meaning_of<Rule>(own.text("ties"), {{"random", Rule::random},
                                                                             {"up", Rule::up},
                                                                             {"down", Rule::down},
                                                                             {"inside", Rule::inside},
                                                                             {"card", Rule::card}});
    if (rule != Rule::random) drawn_ = ~ways;
    if (rule == Rule::down) fixed_ = ways;
    inside_ = rule == Rule::inside;
  }

  /// The bits that decide, of the random bits of a packet between the numbers of two places in the grid.
  [[nodiscard]] u64 of(u64 bits, u32 from, u32 to) const {
    u64 down = fixed_;
    if (inside_) {
      for (std::size_t d = 0; d < sizes_.size(); ++d) {
        if (to % sizes_[d] < from % sizes_[d]) down |= u64{1} << (d % 8);
        from /= sizes_[d];
        to /= sizes_[d];
      }
    }
    return (bits & drawn_) | down;
  }

  /// The row of the key.
  [[nodiscard]] static Setting key_row() {
    return row::choice(
        "router.ties", "random", {"random", "up", "down", "inside", "card"},
        "which direction a packet takes in a ring where both are equally short: at random; all of them up or "
        "down; inside, never across the border of the coordinates; card, in twin tori, down from card 0 "
        "and up from card 1 (in the middle dimension it is always the card where the packet is).");
  }

 private:
  static constexpr u64 ways = 0xff;

  std::vector<u32> sizes_;
  u64 drawn_ = ~u64{0}, fixed_ = 0;
  bool inside_ = false;
};

}  // namespace weft::models
