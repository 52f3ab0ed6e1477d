// Quantiles of latencies that were counted in the bins of a histogram.
#pragma once

#include <span>

#include "engine/base/types.hpp"

namespace weft::stats {

/// Middle of the histogram bin in which the quantile `q` of `total` latencies lies, in ticks; no more than `highest`.
[[nodiscard]] double latency_quantile(std::span<const u64> histogram, u64 total, double q, Tick highest);

}  // namespace weft::stats
