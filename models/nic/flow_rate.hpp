// How fast a source may send to a destination that notifies it of marked packets: DCQCN (Y. Zhu et al., Congestion
// control for large-scale RDMA deployments, SIGCOMM 2015) in integers, so that it is the same in every build.
#pragma once

#include <algorithm>
#include <type_traits>

#include "engine/base/types.hpp"

namespace weft::models::endpoint {

/// Fractions of the link's rate, and other fractions, count units of 2^-24.
inline constexpr u32 one_whole = 1U << 24;

/// What rates go by; docs/congestion.md. Times in ticks.
struct RateRules {
  u32 gain = one_whole / 256;       ///< g
  Tick timer_ticks = 1;             ///< T, and of alpha, K
  u32 counter_cells = 1;            ///< B
  u32 stages = 5;                   ///< F: expiries of fast recovery
  u32 step = one_whole / 1000;      ///< R_AI
  u32 fast_step = one_whole / 100;  ///< R_HI
  u32 least = one_whole / 1000;     ///< no rate is less
};

/// The rate of a flow. Nothing happens by itself: `advance` makes up for the expiries of the timer, and twice is as
/// once. Plain bytes: a checkpoint copies it.
struct FlowRate {
  u32 limited = 0;          ///< 1 from the first notification until the whole rate is back
  u32 current = one_whole;  ///< R_C
  u32 target = one_whole;   ///< R_T
  u32 alpha = one_whole;
  u32 timer_expiries = 0;    ///< since the last notification
  u32 counter_expiries = 0;  ///< likewise
  u32 cells = 0;             ///< sent since then, less those of expiries
  u32 unused = 0;
  Tick timer_at = 0;  ///< when the timer expires next

  /// The timer's expiries up to `now`.
  void advance(const RateRules& rules, Tick now) {
    while (limited != 0 && timer_at <= now) {
      timer_at += rules.timer_ticks;
      alpha -= part(alpha, rules.gain);
      ++timer_expiries;
      raise(rules);
    }
  }
  /// A notification comes.
  void reduce(const RateRules& rules, Tick now) {
    advance(rules, now);
    if (limited == 0) *this = {};
    limited = 1;
    target = current;
    current = std::max(rules.least, current - part(current, alpha) / 2);
    alpha += part(one_whole - alpha, rules.gain);
    timer_expiries = counter_expiries = cells = 0;
    timer_at = now + rules.timer_ticks;
  }
  /// So many cells are sent, which would take the link `busy` ticks. Returns the ticks until the next may be.
  [[nodiscard]] Tick send(const RateRules& rules, Tick now, u32 sent, Tick busy) {
    advance(rules, now);
    if (limited == 0) return busy;
    const Tick gap = (busy * one_whole + current - 1) / current;
    cells += sent;
    while (limited != 0 && cells >= rules.counter_cells) {
      cells -= rules.counter_cells;
      ++counter_expiries;
      raise(rules);
    }
    return gap;
  }

 private:
  /// A fraction of a fraction, rounded down.
  [[nodiscard]] static u32 part(u32 of, u32 share) { return static_cast<u32>(u64{of} * share / one_whole); }
  /// After an expiry.
  void raise(const RateRules& rules) {
    const u32 fewer = std::min(timer_expiries, counter_expiries), more = std::max(timer_expiries, counter_expiries);
    u64 aim = target;
    if (fewer > rules.stages) {
      aim += u64{fewer - rules.stages} * rules.fast_step;
    } else if (more > rules.stages) {
      aim += rules.step;
    }
    target = static_cast<u32>(std::min<u64>(aim, one_whole));
    current = (current + target + 1) / 2;
    if (current >= one_whole) limited = 0;
  }
};
static_assert(std::is_trivially_copyable_v<FlowRate>);

}  // namespace weft::models::endpoint
