// The window of a flow that goes by delay: Swift (G. Kumar et al., Swift: Delay is Simple and Effective for Congestion
// Control in the Datacenter, SIGCOMM 2020, algorithm 1 and section 3.2) in integers, so that it is the same in every
// build.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "engine/base/types.hpp"

namespace weft::models::endpoint {

/// Windows count units of 2^-16 cell; factors units of 2^-16. Times in ticks.
struct SwiftRules {
  static constexpr u64 one = u64{1} << 16;
  u32 packet = 1;           ///< cells of a longest packet
  Tick target = 1;          ///< base target delay
  Tick hop = 0;             ///< more for each link
  Tick scaling = 0;         ///< fs_range: more for flows with small windows
  u64 scaling_least = one;  ///< fs_min_cwnd: all of fs_range at that window and below
  u64 scaling_most = one;   ///< fs_max_cwnd: nothing of it from there on
  u64 increase = one;       ///< ai: by which a window rises in a round trip
  u64 decrease_factor = 0;  ///< beta
  u64 most_decrease = 0;    ///< max_mdf
  u64 first = one;          ///< of a new flow
  u64 least = 1, most = one;
  Tick longest_gap = 1;  ///< between two packets of a flow
  Tick forget = 1;       ///< a flow that was not answered for so long begins anew
};

/// The window of a flow; all 0: it is a new one. Plain bytes: a checkpoint copies it.
struct SwiftWindow {
  u64 size = 0;           ///< cwnd; 0: that of a new flow
  Tick round_trip = 0;    ///< of the packet answered last
  Tick decreased_at = 0;  ///< last
  Tick answered_at = 0;   ///< last

  void forget_old(const SwiftRules& rules, Tick now) {
    if (size != 0 && now - answered_at >= rules.forget) *this = {};
  }
  [[nodiscard]] u64 window(const SwiftRules& rules) const { return size != 0 ? size : rules.first; }

  /// Delay that the flow aims at, over so many links.
  [[nodiscard]] Tick target(const SwiftRules& rules, u32 links) const {
    return rules.target + links * rules.hop + scaled(rules);
  }
  /// A packet of so many cells has been answered.
  void answer(const SwiftRules& rules, u32 cells, u32 links, Tick delay, Tick now) {
    forget_old(rules, now);
    size = window(rules);
    const u64 whole = rules.packet * SwiftRules::one;
    if (const Tick aim = target(rules, links); delay < aim) {
      // As much in a round trip: each of the cells in flight brings its part of it.
      size += static_cast<u64>(u128{rules.increase} * cells * SwiftRules::one / std::max(size, whole));
    } else if (now - decreased_at >= delay) {
      const u64 part = std::min(rules.most_decrease, rules.decrease_factor * (delay - aim) / delay);
      size -= static_cast<u64>((u128{size} * part) >> 16);
      decreased_at = now;
    }
    size = std::clamp(size, rules.least, rules.most);
    round_trip = delay;
    answered_at = now;
  }
  /// A packet of so many cells is sent, which takes the link `busy` ticks. Returns the ticks until the next may be: a
  /// window below a packet is kept by pauses.
  [[nodiscard]] Tick send(const SwiftRules& rules, u32 cells, Tick busy, Tick now) {
    forget_old(rules, now);
    const u64 size_now = window(rules);
    if (size_now >= rules.packet * SwiftRules::one) return busy;
    const Tick gap = static_cast<Tick>(u128{round_trip} * cells * SwiftRules::one / size_now);
    return std::clamp(gap, busy, std::max(busy, rules.longest_gap));
  }
  /// Cells that may be in flight: a longest packet at least.
  [[nodiscard]] u32 cells(const SwiftRules& rules) const {
    return std::max(rules.packet, static_cast<u32>(window(rules) >> 16));
  }

 private:
  /// fs_range (1/sqrt(w) - 1/sqrt(fs_max)) / (1/sqrt(fs_min) - 1/sqrt(fs_max)), within 0 and fs_range.
  [[nodiscard]] Tick scaled(const SwiftRules& rules) const {
    if (rules.scaling == 0) return 0;
    const u64 now = window(rules);
    if (now <= rules.scaling_least) return rules.scaling;
    if (now >= rules.scaling_most) return 0;
    const u64 at_most = inverse_root(rules.scaling_most);
    return rules.scaling * (inverse_root(now) - at_most) / (inverse_root(rules.scaling_least) - at_most);
  }
  /// 2^31 / sqrt(value), rounded down.
  [[nodiscard]] static u64 inverse_root(u64 value) {
    const u64 square = (u64{1} << 62) / value;
    u64 root = 0;
    for (u64 bit = u64{1} << 31; bit != 0; bit >>= 1) {
      if ((root + bit) * (root + bit) <= square) root += bit;
    }
    return root;
  }
};
static_assert(std::is_trivially_copyable_v<SwiftWindow>);

}  // namespace weft::models::endpoint
