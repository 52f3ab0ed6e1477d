// Counting by interval; see the header.
#include "models/core/interval_counts.hpp"

#include <algorithm>
#include <iterator>

namespace weft::models {

void IntervalCounts::add(const IntervalCounts& more) {
  injected += more.injected;
  delivered += more.delivered;
  links += more.links;
  queued_ticks += more.queued_ticks;
  latency_max = std::max(latency_max, more.latency_max);
}

void IntervalCounter::delivered(Tick behind, Tick ticks, Tick latency) {
  IntervalCounts& counts = counts_at(behind);
  counts.latency_max = std::max(counts.latency_max, latency);
  spread(behind - std::min(behind, ticks), ticks, &IntervalCounts::delivered);
}

std::vector<IntervalCounts> IntervalCounter::rows() const {
  std::vector<IntervalCounts> rows;
  rows.reserve(counts_.size());
  for (const auto& [interval, counts] : counts_) rows.push_back(counts);
  return rows;
}

IntervalCounts& IntervalCounter::of(u64 interval) {
  if (last_ == nullptr || last_->interval != interval) {
    last_ = &counts_[interval];
    last_->interval = interval;
  }
  return *last_;
}

void IntervalCounter::travel(Tick at, Tick ticks, bool on_link) {
  spread(at, ticks, on_link ? &IntervalCounts::links : &IntervalCounts::injected);
  if (spans_.size() >= spans_wanted_) {
    std::erase_if(spans_, [&](const TravelSpan& span) { return span.end <= at; });
    spans_wanted_ = std::max(least_spans, 2 * spans_.size());
  }
  spans_.push_back({at, at + ticks, on_link ? 1U : 0U});
}

std::vector<TravelSpan> IntervalCounter::spans_after(Tick now) const {
  std::vector<TravelSpan> found;
  std::ranges::copy_if(spans_, std::back_inserter(found), [&](const TravelSpan& span) { return span.end > now; });
  return found;
}

void IntervalCounter::cut(const TravelSpan& span, Tick end) {
  const Tick from = std::max(end, span.begin);
  if (span.end > from)
    spread(from, span.end - from, span.on_link != 0 ? &IntervalCounts::links : &IntervalCounts::injected, ~u64{0});
}

void IntervalCounter::spread(Tick at, Tick ticks, SpreadTicks IntervalCounts::*member, u64 sign) {
  if (ticks == 0) return;
  const u64 first = at / period_, last = (at + ticks - 1) / period_;
  if (first == last) {
    (of(first).*member).inside += sign * ticks;
    return;
  }
  (of(first).*member).inside += sign * ((first + 1) * period_ - at);
  (of(last).*member).inside += sign * (at + ticks - last * period_);
  if (last == first + 1) return;
  (of(first + 1).*member).covering += sign;
  (of(last).*member).covering -= sign;
}

}  // namespace weft::models
