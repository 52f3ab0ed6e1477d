// Takes the patterns of all ranks in the order of their numbers.
#include "tools/fabric/flow_runs.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/fabric/packet_experiment.hpp"

namespace weft::tools {
namespace {

/// Takes results in the order of their numbers.
class Collector {
 public:
  Collector(const FlowLimits& limits, const FlowExperiment& experiment)
      : limits_(limits), scale_(experiment.scale()), exact_(experiment.same_each_time()) {}

  /// True once enough is there; what comes after that does not count.
  bool take(double bandwidth, double sum_avg, double sum_max, double congestion_sum, std::span<const u64> congestions) {
    FlowSummary& s = summary_;
    congestion_sum_ += congestion_sum;
    s.bandwidths.push_back(bandwidth);
    sum_avg_ += sum_avg;
    sum_max_ += sum_max;
    if (s.congestions.size() < congestions.size()) s.congestions.resize(congestions.size(), 0);
    for (std::size_t c = 0; c < congestions.size(); ++c) s.congestions[c] += congestions[c];
    ++s.patterns;
    bandwidths_.add(bandwidth);
    s.min = s.patterns == 1 ? bandwidth : std::min(s.min, bandwidth);
    s.max = s.patterns == 1 ? bandwidth : std::max(s.max, bandwidth);
    if (limits_.precision > 0 && s.patterns % patterns_per_look == 0 && half_interval() <= limits_.precision)
      s.precise = true;
    return s.precise || s.patterns == limits_.count;
  }
  [[nodiscard]] double mean() const { return bandwidths_.mean(); }
  [[nodiscard]] u64 patterns() const { return summary_.patterns; }
  [[nodiscard]] double half_interval() const {
    if (summary_.patterns < 2) return std::numeric_limits<double>::infinity();
    return stats::half_width95(bandwidths_.deviation(), summary_.patterns);
  }
  [[nodiscard]] FlowSummary finished() {
    FlowSummary& s = summary_;
    s.mean = bandwidths_.mean();
    s.stddev = bandwidths_.deviation();
    s.ci95 = exact_ ? 0 : without_rounding(stats::half_width95(s.stddev, s.patterns));
    s.sum_avg = sum_avg_ / static_cast<double>(s.patterns);
    s.sum_max = sum_max_ / static_cast<double>(s.patterns);
    for (const u64 routes : s.congestions) s.routes += routes;
    s.inverse_mean_congestion = scale_ * static_cast<double>(s.routes) / congestion_sum_;
    return std::move(s);
  }

 private:
  FlowLimits limits_;
  double scale_;
  bool exact_;  ///< all patterns are the same: nothing is left to chance
  FlowSummary summary_;
  stats::RunningDeviation bandwidths_;
  double sum_avg_ = 0, sum_max_ = 0, congestion_sum_ = 0;
};

/// A result as words to be sent: bandwidth, sum_avg, sum_max, sum of congestions, number of counts, counts; then what
/// its packets got.
void pack(const FlowResult& result, std::vector<u64>& words) {
  words.push_back(std::bit_cast<u64>(result.bandwidth));
  words.push_back(std::bit_cast<u64>(result.sum_avg));
  words.push_back(std::bit_cast<u64>(result.sum_max));
  words.push_back(std::bit_cast<u64>(result.congestion_sum));
  words.push_back(result.congestions.size());
  words.insert(words.end(), result.congestions.begin(), result.congestions.end());
}

/// Takes words from `at` on, and moves `at` behind them.
bool take_words(Collector& collector, PacketCollector* packets, std::span<const u64> words, std::size_t& at) {
  const double bandwidth = std::bit_cast<double>(words[at]), sum_avg = std::bit_cast<double>(words[at + 1]);
  const double sum_max = std::bit_cast<double>(words[at + 2]), sum = std::bit_cast<double>(words[at + 3]);
  const u64 counts = words[at + 4];
  const auto congestions = words.subspan(at + 5, counts);
  at += 5 + counts;
  if (packets != nullptr) packets->take(unpacked(words, at), bandwidth);
  return collector.take(bandwidth, sum_avg, sum_max, sum, congestions);
}

}  // namespace

FlowSummary run_flows(FlowExperiment& experiment, const FlowLimits& limits, engine::Transport& transport,
                      Progress& progress, PacketExperiment* packets) {
  Collector collector(limits, experiment);
  PacketCollector packet_collector;
  const u64 ranks = transport.size(), batch = packets != nullptr ? ranks : std::max(patterns_per_look, 16 * ranks);
  progress.start("patterns", static_cast<double>(limits.count), "patterns");
  std::vector<u64> words;
  std::vector<RoutedRound> rounds;
  for (u64 first = 0, done = 0; done == 0; first += batch) {
    const u64 end = std::min(first + batch, limits.count);
    words.clear();
    for (u64 index = first + transport.rank(); index < end; index += ranks) {
      rounds.clear();
      pack(experiment.measure(index, packets != nullptr ? &rounds : nullptr), words);
      if (packets != nullptr) pack(packets->measure(index, rounds, experiment.scale()), words);
      if (ranks == 1) progress.update(static_cast<double>(index + 1), 0, "");
    }
    const auto gathered = engine::gather_values<u64>(transport, words);
    std::vector<std::size_t> at(gathered.size(), 0);
    for (u64 index = first; index < end && !gathered.empty() && done == 0; ++index) {
      const u64 rank = (index - first) % ranks;
      done = take_words(collector, packets != nullptr ? &packet_collector : nullptr, gathered[rank], at[rank]) ? 1 : 0;
    }
    if (transport.rank() == 0) {
      progress.update(static_cast<double>(collector.patterns()), 0, fmt::format("bandwidth {:.4f}", collector.mean()));
    }
    transport.max(std::span(&done, 1));
  }
  progress.finish();
  if (transport.rank() != 0) return {};
  FlowSummary summary = collector.finished();
  if (packets != nullptr) summary.packets = packet_collector.finished();
  return summary;
}

}  // namespace weft::tools
