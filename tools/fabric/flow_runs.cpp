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
#include "tools/fabric/report/pair_table.hpp"

namespace weft::tools {
namespace {

/// Takes results in the order of their numbers.
class Collector {
 public:
  Collector(const FlowLimits& limits, const FlowExperiment& experiment)
      : limits_(limits), exact_(experiment.same_each_time()) {}

  /// True once enough is there; what comes after that does not count.
  bool take(const FlowResult& result) {
    FlowSummary& s = summary_;
    const double bandwidth = result.bandwidth;
    s.bandwidths.push_back(bandwidth);
    s.sum_avgs.push_back(result.sum_avg);
    s.task_avg += result.task_avg;
    s.sum_avg += result.sum_avg;
    s.sum_max += result.sum_max;
    s.pi_avg += result.pi_avg;
    s.pi_max += result.pi_max;
    add_to(s.congestions, result.congestions);
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
    for (double* const sum : {&s.task_avg, &s.sum_avg, &s.sum_max, &s.pi_avg, &s.pi_max})
      *sum /= static_cast<double>(s.patterns);
    for (const u64 routes : s.congestions) s.routes += routes;
    return std::move(s);
  }

 private:
  FlowLimits limits_;
  bool exact_;  ///< all patterns are the same: nothing is left to chance
  FlowSummary summary_;
  stats::RunningDeviation bandwidths_;
};

/// A result as words to be sent: its figures, number of counts, counts; then what its packets got.
void pack(const FlowResult& result, std::vector<u64>& words) {
  for (const auto figure : flow_figures) words.push_back(std::bit_cast<u64>(result.*figure));
  words.push_back(result.congestions.size());
  words.insert(words.end(), result.congestions.begin(), result.congestions.end());
}

/// Takes the words of a pattern from `at` on, and moves `at` behind them.
bool take_words(Collector& collector, PacketCollector* packets, PairTable* pairs, std::span<const u64> words,
                std::size_t& at) {
  FlowResult result;
  for (const auto figure : flow_figures) result.*figure = std::bit_cast<double>(words[at++]);
  const auto congestions = words.subspan(at + 1, words[at]);
  result.congestions.assign(congestions.begin(), congestions.end());
  at += 1 + congestions.size();
  if (packets != nullptr) packets->take(unpacked(words, at), result.bandwidth);
  if (pairs != nullptr) pairs->take(words, at);
  return collector.take(result);
}

}  // namespace

FlowSummary run_flows(FlowExperiment& experiment, const FlowLimits& limits, engine::Transport& transport,
                      Progress& progress, const FlowExtras& extras) {
  PacketExperiment* const packets = extras.packets;
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
      const bool wanted = packets != nullptr || extras.pairs != nullptr;
      pack(experiment.measure(index, wanted ? &rounds : nullptr), words);
      if (packets != nullptr) pack(packets->measure(index, rounds, experiment.scale()), words);
      if (extras.pairs != nullptr)
        pack_pairs(rounds, packets != nullptr ? packets->last_shares() : std::vector<double>{}, words);
      if (ranks == 1) progress.update(static_cast<double>(index + 1), 0, "");
    }
    const auto gathered = engine::gather_values<u64>(transport, words);
    std::vector<std::size_t> at(gathered.size(), 0);
    for (u64 index = first; index < end && !gathered.empty() && done == 0; ++index) {
      const u64 rank = (index - first) % ranks;
      done = take_words(collector, packets != nullptr ? &packet_collector : nullptr, extras.pairs, gathered[rank],
                        at[rank])
                 ? 1
                 : 0;
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
