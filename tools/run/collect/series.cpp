// Rows of the time series; see the header.
#include "tools/run/collect/series.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/deviation.hpp"

namespace weft::tools {
namespace {

void add(SeriesCounts& to, const SeriesCounts& behind) {
  for (const auto sum : {&SeriesCounts::generated, &SeriesCounts::injected, &SeriesCounts::delivered,
                         &SeriesCounts::dropped, &SeriesCounts::distance, &SeriesCounts::latency})
    to.*sum += behind.*sum;
  for (std::size_t limb = 0; limb < to.latency_squares.size(); ++limb)
    to.latency_squares[limb] += behind.latency_squares[limb];
  to.network_ticks += behind.network_ticks;
  to.network_packets = behind.network_packets;
  to.queued_packets = behind.queued_packets;
}

double square_sum(const std::array<u64, 4>& limbs) {
  models::Counters sums;
  sums.latency_squares = limbs;
  return sums.latency_square_sum();
}

/// Goes through intervals in order, and knows how many spans cover each whole.
class IntervalReader {
 public:
  explicit IntervalReader(const std::vector<models::IntervalCounts>& counts, Tick period)
      : counts_(counts), period_(period) {}

  /// What is in the intervals before tick `end`, where one ends, and not in those of the call before. `rest`: all that
  /// are left. (What packets travel after the run's end is taken off what is inside of the interval in which that is,
  /// so spans cover this one whole, too.)
  struct Sums {
    u64 injected = 0, delivered = 0, links = 0, queued_ticks = 0, latency_max = 0;
  };
  Sums up_to(Tick end, bool rest) {
    Sums sums;
    while (at_ < counts_.size() && (rest || counts_[at_].interval * period_ < end)) {
      const models::IntervalCounts& c = counts_[at_++];
      cover(sums, std::min(end, c.interval * period_));
      injected_ += c.injected.covering;
      delivered_ += c.delivered.covering;
      links_ += c.links.covering;
      sums.injected += c.injected.inside;
      sums.delivered += c.delivered.inside;
      sums.links += c.links.inside;
      sums.queued_ticks += c.queued_ticks;
      sums.latency_max = std::max(sums.latency_max, c.latency_max);
    }
    cover(sums, end);
    return sums;
  }

 private:
  void cover(Sums& sums, Tick until) {
    if (until <= covered_to_) return;
    const Tick ticks = until - covered_to_;
    sums.injected += injected_ * ticks;
    sums.delivered += delivered_ * ticks;
    sums.links += links_ * ticks;
    covered_to_ = until;
  }

  const std::vector<models::IntervalCounts>& counts_;
  Tick period_;
  std::size_t at_ = 0;
  Tick covered_to_ = 0;
  u64 injected_ = 0, delivered_ = 0, links_ = 0;  ///< spans that cover the present interval
};

}  // namespace

void Series::add_row(Tick end, const models::Counters& total) {
  if (end <= row_begin_) return;
  const models::Counters c = total - before_;
  counts_.push_back({row_begin_, end, c.generated, c.injected, c.delivered, c.dropped, c.distance, c.latency,
                     c.latency_squares, total.time_in_network(end) - before_.time_in_network(row_begin_),
                     total.in_network(), total.generated - total.injected - total.dropped_at_source});
  row_begin_ = end;
  before_ = total;
}

void Series::end_rows(Tick end, Tick cycle_ticks, const models::Counters& total) {
  constexpr Tick most_idle_rows = 1'000'000;
  while (row_begin_ < end) {
    const bool is_long = before_.gone() == total.gone() && (end - row_begin_) / period_ > most_idle_rows;
    add_row(is_long ? end : std::min(end, (row_begin_ / period_ + 1) * period_), total);
  }
  const models::Counters rest = total - before_;
  if (rest.injected + rest.delivered + rest.dropped + rest.link_starts != 0) add_row(row_begin_ + cycle_ticks, total);
  while (counts_.size() > 1 && counts_.back().begin >= end) {
    const SeriesCounts behind = counts_.back();
    counts_.pop_back();
    add(counts_.back(), behind);
  }
  if (!counts_.empty()) counts_.back().end = std::min(counts_.back().end, end);
}

std::vector<SeriesRow> Series::rows(const std::vector<models::IntervalCounts>& intervals,
                                    const std::vector<PassageCounts>& passages, const LoadScale& scale,
                                    u64 links) const {
  const double ticks_per_cycle = static_cast<double>(scale.ticks_per_cycle);
  const auto cycles = [&](auto ticks) { return static_cast<double>(ticks) / ticks_per_cycle; };
  IntervalReader reader(intervals, period_);
  std::vector<SeriesRow> rows;
  u64 queued_before = 0;
  auto passage = passages.begin();
  for (const SeriesCounts& c : counts_) {
    const bool last = &c == &counts_.back();
    const Tick whole_end = (c.end + period_ - 1) / period_ * period_;
    const auto sums = reader.up_to(whole_end, last);
    SeriesRow row;
    row.begin = c.begin / scale.ticks_per_cycle;
    row.end = (c.end + scale.ticks_per_cycle - 1) / scale.ticks_per_cycle;
    const double length = cycles(c.end - c.begin), n = static_cast<double>(c.delivered);
    row.injected_load = cycles(sums.injected) / (length * scale.nodes);
    row.accepted_load = cycles(sums.delivered) / (length * scale.nodes);
    if (links != 0) row.utilisation = cycles(sums.links) / (length * static_cast<double>(links));
    if (c.delivered != 0) {
      const double latency = static_cast<double>(c.latency);
      row.latency_mean = latency / n / ticks_per_cycle;
      row.latency_stddev = stats::deviation_of_all(n, latency, square_sum(c.latency_squares)) / ticks_per_cycle;
      row.latency_max = cycles(sums.latency_max);
      row.distance_mean = static_cast<double>(c.distance) / n;
    }
    PassageCounts passed;
    for (; passage != passages.end() && (last || passage->interval * period_ < c.end); ++passage) passed.add(*passage);
    row.network_latency_mean = passed.mean() / ticks_per_cycle;
    row.network_latency_stddev = passed.deviation() / ticks_per_cycle;
    row.network_latency_max = passed.packets == 0 ? no_figure : cycles(passed.most);
    row.generated_packets = c.generated;
    row.injected_packets = c.injected;
    row.delivered_packets = c.delivered;
    row.dropped_packets = c.dropped;
    row.network_packets = c.network_packets;
    row.queued_packets = c.queued_packets;
    // Latencies end with the cycle of the last phit, the time of a packet in the network behind it.
    const u64 in_network = c.network_ticks + (c.delivered + c.dropped) * scale.ticks_per_cycle;
    row.network_packets_mean =
        std::max(0.0, static_cast<double>(static_cast<i64>(in_network))) / ticks_per_cycle / length;
    // `queued_ticks` reckons to the end of whole intervals; the last row may end before.
    const double over = static_cast<double>(whole_end - c.end) * static_cast<double>(c.queued_packets);
    const double waited = static_cast<double>(queued_before) * static_cast<double>(whole_end - c.begin) +
                          static_cast<double>(static_cast<i64>(sums.queued_ticks));
    row.queued_packets_mean = std::max(0.0, waited - over) / ticks_per_cycle / length;
    queued_before = c.queued_packets;
    rows.push_back(row);
  }
  return rows;
}

void Series::put(engine::ByteWriter& to) const {
  to.put_list(counts_);
  to.put(before_.words());
  to.put(row_begin_);
}

void Series::get(engine::ByteReader& from) {
  from.get_list(counts_);
  before_ = models::Counters::from(from.get<std::array<u64, models::Counters::sums>>());
  row_begin_ = from.get<Tick>();
}

}  // namespace weft::tools
