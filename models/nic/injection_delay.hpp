// How long a source pauses between packets to a destination that notifies it of marked packets: congestion control of
// InfiniBand (InfiniBand Architecture Specification 1.2.1, volume 1, annex A10), by an index into its table of delays.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models::endpoint {

/// What delays go by; docs/congestion.md. Times in ticks.
struct DelayRules {
  std::vector<u32> table = {0};  ///< CCT: delay after a packet, in per cent of the time that it takes; [index]
  u32 increase = 1;              ///< CCTI_Increase
  Tick timer_ticks = 1;          ///< CCTI_Timer
  [[nodiscard]] u32 limit() const { return static_cast<u32>(table.size() - 1); }
};

/// The index of a flow. Nothing happens by itself: `advance` makes up for the expiries of the timer, and twice is as
/// once. Plain bytes: a checkpoint copies it.
struct InjectionDelay {
  u32 index = 0;  ///< CCTI
  u32 unused = 0;
  Tick timer_at = 0;  ///< when the timer expires next

  void advance(const DelayRules& rules, Tick now) {
    for (; index != 0 && timer_at <= now; timer_at += rules.timer_ticks) --index;
  }
  /// A notification comes.
  void raise(const DelayRules& rules, Tick now) {
    advance(rules, now);
    if (index == 0) timer_at = now + rules.timer_ticks;
    index = std::min(index + rules.increase, rules.limit());
  }
  /// A packet is sent that takes the link `busy` ticks. Returns the ticks until the next may be.
  [[nodiscard]] Tick send(const DelayRules& rules, Tick now, Tick busy) {
    advance(rules, now);
    return busy + (busy * rules.table[index] + 99) / 100;
  }
};
static_assert(std::is_trivially_copyable_v<InjectionDelay>);

}  // namespace weft::models::endpoint
