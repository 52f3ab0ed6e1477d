// Walks up the bins of models::LatencyHistogram; see the header.
#include "tools/result/quantile.hpp"

#include <algorithm>

#include "models/core/statistics.hpp"

namespace weft::stats {

double latency_quantile(std::span<const u64> histogram, u64 total, double q, Tick highest) {
  const double wanted = q * static_cast<double>(total);
  u64 seen = 0;
  for (u32 bin = 0; bin < histogram.size(); ++bin) {
    seen += histogram[bin];
    if (seen == 0 || static_cast<double>(seen) < wanted) continue;
    const Tick low = models::LatencyHistogram::low_edge(bin);
    const Tick high = std::min(models::LatencyHistogram::low_edge(bin + 1) - 1, highest);
    return 0.5 * static_cast<double>(low + std::max(low, high));
  }
  return static_cast<double>(highest);
}

}  // namespace weft::stats
