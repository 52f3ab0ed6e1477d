// Which virtual lane a packet of a service level gets at a switch: by the port where it came in and the one where it
// leaves.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

class SlToVl {
 public:
  static constexpr u32 levels = 16;  ///< service levels, and virtual lanes at most
  using Row = std::array<u8, levels>;

  explicit SlToVl(u32 switches) : of_switch_(switches) {}

  /// Entries of a switch, which are then sorted; in and out are port numbers.
  struct Entry {
    u8 in = 0, out = 0;
    Row vl{};
  };
  void set(u32 s, std::vector<Entry> entries) {
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return order(a) < order(b); });
    for (const Entry& entry : entries) {
      for (const u8 vl : entry.vl) lanes_ = std::max<u32>(lanes_, vl + 1U);
    }
    of_switch_[s] = std::move(entries);
  }
  /// 0 where nothing is said.
  [[nodiscard]] u32 lane(u32 s, u32 in, u32 out, u32 level) const {
    const auto at = std::ranges::lower_bound(of_switch_[s], (in << 8) + out, {}, order);
    return at != of_switch_[s].end() && order(*at) == (in << 8) + out ? at->vl[level] : 0;
  }
  /// Lanes that entries name: the highest one and all below.
  [[nodiscard]] u32 lanes() const { return lanes_; }
  [[nodiscard]] bool knows(u32 s) const { return !of_switch_[s].empty(); }

 private:
  static u32 order(const Entry& entry) { return (u32{entry.in} << 8) + entry.out; }
  std::vector<std::vector<Entry>> of_switch_;
  u32 lanes_ = 1;
};

}  // namespace weft::models
