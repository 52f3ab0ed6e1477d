// What happens in each of many intervals of equal length, beyond what Counters say at their ends: phits spread over the
// time in which they travel, so that no interval has more of them than a link carries.
#pragma once

#include <map>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// Ticks of travelling in one interval: those that begin or end in it, and how many spans begin to cover intervals
/// whole from it on (less those that no longer do, modulo 2^64).
struct SpreadTicks {
  u64 inside = 0, covering = 0;
  friend SpreadTicks& operator+=(SpreadTicks& to, const SpreadTicks& more) {
    to.inside += more.inside;
    to.covering += more.covering;
    return to;
  }
};

/// What one process counted in an interval, as sums of integers. Plain words: checkpoints copy them.
struct IntervalCounts {
  u64 interval = 0;       ///< its number: ticks [interval * period, (interval + 1) * period)
  SpreadTicks injected;   ///< of packets out of injection queues
  SpreadTicks delivered;  ///< of packets into nodes
  SpreadTicks links;      ///< of packets on the links that Counters::link_starts counts
  u64 queued_ticks = 0;   ///< from generation to the interval's end, less from injection to there, modulo 2^64
  u64 latency_max = 0;    ///< of the packets delivered in it, ticks from generation

  /// `more` is of the same interval.
  void add(const IntervalCounts& more);
};

/// A time that a packet takes on its way out of an injection queue, or on a link (`on_link` 1). Plain words, likewise.
struct TravelSpan {
  Tick begin = 0, end = 0;
  u64 on_link = 0;
};

/// Counts by interval; intervals in which nothing happens take no memory.
class IntervalCounter {
 public:
  /// `period`: ticks of an interval; 0: nothing is counted.
  explicit IntervalCounter(Tick period) : period_(period) {}
  [[nodiscard]] bool used() const { return period_ != 0; }

  /// A packet is generated, and waits from tick `at` on.
  void generated(Tick at) { wait(at, 1); }
  /// A packet leaves its injection queue at tick `at`, without a tick on a link if it is lost there.
  void injected(Tick at, Tick ticks) {
    wait(at, -1);
    travel(at, ticks, false);
  }
  /// A packet that took so many ticks has come whole by tick `behind`, `latency` ticks after its generation.
  void delivered(Tick behind, Tick ticks, Tick latency);
  /// A link is taken from tick `at` on.
  void link(Tick at, Tick ticks) { travel(at, ticks, true); }

  /// By interval.
  [[nodiscard]] std::vector<IntervalCounts> rows() const;
  /// Spans of what was counted that end after tick `now`, when all before it is done.
  [[nodiscard]] std::vector<TravelSpan> spans_after(Tick now) const;
  /// Counts what a span has behind tick `end` as not travelled.
  void cut(const TravelSpan& span, Tick end);

 private:
  static constexpr std::size_t least_spans = 1024;

  IntervalCounts& counts_at(Tick at) { return of(at / period_); }
  IntervalCounts& of(u64 interval);
  void wait(Tick at, i64 packets) {
    IntervalCounts& counts = counts_at(at);
    counts.queued_ticks += static_cast<u64>(packets) * ((counts.interval + 1) * period_ - at);
  }
  void travel(Tick at, Tick ticks, bool on_link);
  /// `sign`: 1, or 2^64 - 1 to take back.
  void spread(Tick at, Tick ticks, SpreadTicks IntervalCounts::*member, u64 sign = 1);

  Tick period_;
  std::map<u64, IntervalCounts> counts_;
  IntervalCounts* last_ = nullptr;  ///< in counts_: mostly the one that is asked for next
  std::vector<TravelSpan> spans_;   ///< the last ones: all that may not have ended, and others
  std::size_t spans_wanted_ = least_spans;
};

}  // namespace weft::models
