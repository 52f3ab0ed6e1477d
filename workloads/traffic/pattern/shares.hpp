// Shares of a draw: which of several things 64 random bits choose, each with a probability in proportion to its weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Draws that a pattern makes of the bits of a packet besides the first; others are taken by sources, lengths, laws.
inline constexpr u64 draw_of_share = 0x5a4e, draw_of_place = 0x5a4f;

/// Ends of the shares of weights, as parts of 2^64; some weight is above 0. Exact to 2^-53 of the whole.
[[nodiscard]] inline std::vector<u64> shares_of(const std::vector<double>& weights) {
  double sum = 0, so_far = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sum += weights[k];
    if (weights[k] > 0) last = k;
  }
  std::vector<u64> ends;
  ends.reserve(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    so_far += weights[k];
    const double part = so_far / sum;
    ends.push_back(k >= last || part >= 1 ? ~u64{0} : static_cast<u64>(std::ldexp(part, 64)));
  }
  return ends;
}

/// The share that bits fall in; one of weight 0 never.
[[nodiscard]] inline std::size_t share_of(const std::vector<u64>& ends, u64 bits) {
  // The last end is 2^64 - 1, which no draw may lie behind.
  return static_cast<std::size_t>(std::ranges::upper_bound(ends, std::min(bits, ~u64{0} - 1)) - ends.begin());
}

}  // namespace weft::workloads
