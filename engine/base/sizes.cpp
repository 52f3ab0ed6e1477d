// Neighbouring powers, and factors that are nearly equal.
#include "engine/base/sizes.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace weft {
namespace {

constexpr u64 largest = std::numeric_limits<u32>::max();

/// base^exponent, or more than `largest` if it does not fit 32 bits.
u64 power(u64 base, u32 exponent) {
  u64 result = 1;
  for (u32 i = 0; i < exponent && result <= largest; ++i) result *= base;
  return result;
}

/// Largest r with r^exponent <= count.
u32 root_below(u32 count, u32 exponent) {
  auto root = static_cast<u64>(std::pow(static_cast<double>(count), 1.0 / exponent));  // may be off by one
  while (root > 0 && power(root, exponent) > count) --root;
  while (power(root + 1, exponent) <= count) ++root;
  return static_cast<u32>(root);
}

/// All factorisations in rising order, those that can only be worse than the best so far left out.
class Factorisation {
 public:
  std::vector<u32> best(u32 count, u32 parts) {
    extend(count, parts);
    return {best_.rbegin(), best_.rend()};
  }

 private:
  /// Puts `parts` factors of `rest` behind those that there are, none less than the last of them.
  void extend(u32 rest, u32 parts) {
    const u32 least = factors_.empty() ? 1 : factors_.back();
    if (parts == 1) {
      const std::pair<u32, u32> quality(rest - (factors_.empty() ? rest : factors_.front()), rest);
      if (!best_.empty() && quality >= quality_) return;
      quality_ = quality;
      best_ = factors_;
      best_.push_back(rest);
      return;
    }
    const u32 root = root_below(rest, parts);
    for (u32 factor = root; factor >= least; --factor) {
      const u32 smallest = factors_.empty() ? factor : factors_.front();
      if (!best_.empty() && root - smallest > quality_.first) return;  // the largest is no less than the root
      if (rest % factor != 0) continue;
      factors_.push_back(factor);
      extend(rest / factor, parts - 1);
      factors_.pop_back();
    }
  }

  std::vector<u32> factors_, best_;
  std::pair<u32, u32> quality_;  ///< of the best: difference, largest
};

}  // namespace

std::string nearest_powers_of(u32 base, u32 count, u32 least) {
  u64 below = least;
  while (below * base <= count) below *= base;
  if (below > count) return std::to_string(below);
  const u64 above = below * base;
  return std::to_string(below) + (above <= largest ? " or " + std::to_string(above) : "");
}

std::vector<u32> nearest_square_factors(u32 count, u32 parts) { return Factorisation().best(count, parts); }

}  // namespace weft
