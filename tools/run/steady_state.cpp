// The rules of the steady state; see the header.
#include "tools/run/steady_state.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"

namespace weft::tools {

bool settled(std::span<const IntervalRow> intervals, const MeasurePlan& plan) {
  if (intervals.size() < plan.intervals) return false;
  const auto [low, high] = std::ranges::minmax(intervals.last(plan.intervals), {}, &IntervalRow::accepted_load);
  return high.accepted_load - low.accepted_load <= plan.tolerance_fraction * high.accepted_load;
}

double accepted_stddev(std::span<const IntervalRow> batches) {
  if (batches.size() < 2) return 0;
  std::vector<double> loads;
  for (const IntervalRow& batch : batches) loads.push_back(batch.accepted_load);
  return stats::deviation_of(loads);
}

void judge_batches(RunResult& result) {
  std::vector<double> loads, latencies;
  for (const IntervalRow& batch : result.batches) {
    loads.push_back(batch.accepted_load);
    if (batch.delivered_packets != 0) latencies.push_back(batch.latency_mean);
  }
  result.measured = true;
  result.load_accepted_stddev = accepted_stddev(result.batches);
  result.load_accepted_ci95 = stats::half_width95(loads);
  result.latency_mean_ci95 = stats::half_width95(latencies);
  if (result.confidence_percent != 95) {
    result.load_accepted_ci = stats::half_width(loads, result.confidence_percent);
    result.latency_mean_ci = stats::half_width(latencies, result.confidence_percent);
  }
  result.load_autocorrelation = stats::lag1_autocorrelation(loads);
  result.latency_autocorrelation = stats::lag1_autocorrelation(latencies);
  const auto warn_if_too_short = [&result](const char* what, double correlation, u64 batches) {
    if (!stats::batches_too_short(correlation, batches)) return;
    result.warnings.push_back(fmt::format(
        "the batches are too short for their confidence intervals (the {} of a batch and the next one have "
        "a correlation of {:.2f}); make measure.{} larger",
        what, correlation,
        result.intervals.empty() || result.batches.front().begin >= result.intervals.back().end ? "batch_cycles"
                                                                                                : "interval_cycles"));
  };
  warn_if_too_short("accepted loads", result.load_autocorrelation, loads.size());
  warn_if_too_short("mean latencies", result.latency_autocorrelation, latencies.size());
}

void judge_steadiness(RunResult& result) {
  constexpr double least_share = 0.01;  // packets in flight come and go
  const double generated = result.load_accepted + result.load_growth;
  result.falls_behind = result.load_growth > result.load_accepted_ci95 && result.load_growth > least_share * generated;
  if (result.falls_behind) {
    result.converged = false;
    result.warnings.push_back(fmt::format(
        "the network is saturated: it accepts {:.4g} phits/node/cycle less than was generated, and the 95 % confidence "
        "interval is only +- {:.2g}; buffers filled while it was measured, and latencies depend on for how long",
        result.load_growth, result.load_accepted_ci95));
  }
  if (result.latency_mean_ci95 > steady_latency_fraction * result.latency_mean) {
    result.converged = false;
    result.warnings.push_back(
        fmt::format("the mean latency is not steady: half of its 95 % confidence interval is {:.0f} % of it (at most "
                    "{:.0f} %); measure for longer, after a longer warm-up",
                    100 * result.latency_mean_ci95 / result.latency_mean, 100 * steady_latency_fraction));
  }
}

}  // namespace weft::tools
