// Integer roots and neighbouring powers.
#include "workloads/kernel/sizes.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace weft::workloads {
namespace {

constexpr u64 largest = std::numeric_limits<u32>::max();

/// base^exponent, or more than `largest` if it does not fit 32 bits.
u64 power(u64 base, u32 exponent) {
  u64 result = 1;
  for (u32 i = 0; i < exponent && result <= largest; ++i) result *= base;
  return result;
}

/// Largest r with r^exponent <= count; 0 for count 0.
u32 root_below(u32 count, u32 exponent) {
  auto root = static_cast<u64>(std::pow(static_cast<double>(count), 1.0 / exponent));  // may be off by one
  while (root > 0 && power(root, exponent) > count) --root;
  while (power(root + 1, exponent) <= count) ++root;
  return static_cast<u32>(root);
}

}  // namespace

std::optional<u32> exact_root(u32 count, u32 exponent) {
  const u32 root = root_below(count, exponent);
  if (power(root, exponent) != count) return std::nullopt;
  return root;
}

std::string nearest_powers(u32 count, u32 exponent) {
  std::string text;
  const u64 below = root_below(count, exponent);
  for (const u64 root : {below, below + 1}) {
    const u64 value = power(root, exponent);
    if (value == 0 || value > largest) continue;
    text += fmt::format("{}{} ({}^{})", text.empty() ? "" : " or ", value, root, exponent);
  }
  return text;
}

std::string nearest_powers_of(u32 base, u32 count, u32 least) {
  u64 below = least;
  while (below * base <= count) below *= base;
  if (below > count) return std::to_string(below);
  const u64 above = below * base;
  return std::to_string(below) + (above <= largest ? " or " + std::to_string(above) : "");
}

}  // namespace weft::workloads
