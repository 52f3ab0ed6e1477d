// The rules of the steady state; see the header.
#include "tools/simulate/steady_state.hpp"

#include <algorithm>
#include <cmath>

namespace weft::tools {

bool settled(std::span<const IntervalRow> intervals, const MeasurePlan& plan) {
  if (intervals.size() < plan.intervals) return false;
  const auto [low, high] = std::ranges::minmax(intervals.last(plan.intervals), {}, &IntervalRow::accepted_load);
  return high.accepted_load - low.accepted_load <= plan.tolerance_fraction * high.accepted_load;
}

double accepted_stddev(std::span<const IntervalRow> batches) {
  if (batches.size() < 2) return 0;
  const double n = static_cast<double>(batches.size());
  double sum = 0, squares = 0;
  for (const IntervalRow& batch : batches) {
    sum += batch.accepted_load;
    squares += batch.accepted_load * batch.accepted_load;
  }
  const double mean = sum / n;
  return std::sqrt(std::max(0.0, (squares - n * mean * mean) / (n - 1)));
}

}  // namespace weft::tools
