// The time series of a run: counts of each interval of statistics.series_cycles cycles while the run goes on, and the
// figures of a result that they amount to.
#pragma once

#include <array>
#include <vector>

#include "engine/base/bytes.hpp"
#include "models/core/interval_counts.hpp"
#include "models/core/statistics.hpp"
#include "tools/run/collect/passages.hpp"
#include "tools/run/collect/summarise.hpp"

namespace weft::tools {

/// What was counted in an interval, over all ranks. Plain words: checkpoints copy them.
struct SeriesCounts {
  Tick begin = 0, end = 0;
  u64 generated = 0, injected = 0, delivered = 0, dropped = 0;  ///< packets
  u64 distance = 0, latency = 0;                                ///< sums over the packets delivered; links, ticks
  std::array<u64, 4> latency_squares{};                         ///< as in models::Counters
  u64 network_ticks = 0;                                        ///< that all packets together were in the network
  u64 network_packets = 0, queued_packets = 0;                  ///< at the end
};

/// Rows of one length but the last; what is called on one rank must be called on all, with the same counts.
class Series {
 public:
  /// `period`: ticks of an interval.
  explicit Series(Tick period) : period_(period) {}
  [[nodiscard]] Tick period() const { return period_; }

  /// Adds the row that ends before tick `end`; none if the last one ended there. `total`: since the start of the run.
  void add_row(Tick end, const models::Counters& total);
  /// Rows up to tick `end` and none behind: events may end before a run that has a stated length, and the last credits
  /// come after a run that ends with its last packet.
  void end_rows(Tick end, Tick cycle_ticks, const models::Counters& total);

  /// What the rows amount to. `intervals`: by number, each once. `links`: of one direction each, that count.
  [[nodiscard]] std::vector<SeriesRow> rows(const std::vector<models::IntervalCounts>& intervals,
                                            const std::vector<PassageCounts>& passages, const LoadScale& scale,
                                            u64 links) const;

  void put(engine::ByteWriter& to) const;
  void get(engine::ByteReader& from);

 private:
  Tick period_;
  std::vector<SeriesCounts> counts_;
  models::Counters before_;  ///< at the end of the last row
  Tick row_begin_ = 0;
};

}  // namespace weft::tools
