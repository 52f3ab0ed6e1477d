// Sets of contributions: which tasks' data is in a piece, and what sums can be made of others.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads::collective_test {

/// A set of tasks below 128.
struct Origins {
  u64 low = 0, high = 0;

  static Origins one(u32 task) { return task < 64 ? Origins{u64{1} << task, 0} : Origins{0, u64{1} << (task - 64)}; }
  bool empty() const { return (low | high) == 0; }
  u32 size() const { return static_cast<u32>(std::popcount(low) + std::popcount(high)); }
  bool within(const Origins& other) const { return ((low & ~other.low) | (high & ~other.high)) == 0; }
  bool meets(const Origins& other) const { return ((low & other.low) | (high & other.high)) != 0; }
  Origins and_of(const Origins& other) const { return {low & other.low, high & other.high}; }
  Origins with(const Origins& other) const { return {low | other.low, high | other.high}; }
  template <class Use>
  void each(Use use) const {
    for (u64 rest = low; rest != 0; rest &= rest - 1) use(static_cast<u32>(std::countr_zero(rest)));
    for (u64 rest = high; rest != 0; rest &= rest - 1) use(static_cast<u32>(64 + std::countr_zero(rest)));
  }
  friend bool operator==(const Origins&, const Origins&) = default;
};

/// Whether a sum of just those contributions can be made of sums that a task has, none of them twice. Sums of
/// collective operations are parts of each other or have nothing in common: so the largest that fit will do.
inline bool can_be_made(const Origins& wanted, std::vector<Origins> of) {
  std::ranges::stable_sort(of, [](const Origins& a, const Origins& b) { return a.size() > b.size(); });
  Origins sum;
  for (const Origins& one : of) {
    if (one.within(wanted) && !one.meets(sum)) sum = sum.with(one);
  }
  return sum == wanted;
}

}  // namespace weft::workloads::collective_test
