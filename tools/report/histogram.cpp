// Spreads bins over columns; see the header.
#include "tools/report/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace weft::tools {
namespace {

/// Where a bin starts on a logarithmic axis: latency 0 has no place there, so the first bin starts at half a cycle.
double log_edge(double cycles) { return std::log(std::max(cycles, 0.5)); }

bool is_range(const HistogramBin& bin) { return std::isfinite(bin.low) && std::isfinite(bin.high); }

}  // namespace

std::vector<double> rebin_log(const std::vector<HistogramBin>& bins, double low, double high, u32 columns) {
  std::vector<double> result(columns, 0.0);
  const double start = log_edge(low);
  const double width = (log_edge(high) - start) / columns;
  if (columns == 0 || !(width > 0)) return result;
  for (const HistogramBin& bin : bins) {
    if (!is_range(bin)) continue;
    const double from = std::clamp((log_edge(bin.low) - start) / width, 0.0, static_cast<double>(columns));
    const double to = std::clamp((log_edge(bin.high) - start) / width, from, static_cast<double>(columns));
    const auto packets = static_cast<double>(bin.packets);
    const u32 first = std::min(static_cast<u32>(from), columns - 1);
    if (!(to > from)) {
      result[first] += packets;
      continue;
    }
    for (u32 column = first; column < columns && column < to; ++column) {
      const double overlap = std::min(to, column + 1.0) - std::max(from, static_cast<double>(column));
      result[column] += packets * overlap / (to - from);
    }
  }
  return result;
}

HistogramRange occupied_range(const std::vector<HistogramBin>& bins) {
  HistogramRange range;
  for (const HistogramBin& bin : bins) {
    if (bin.packets == 0 || !is_range(bin)) continue;
    if (range.high == 0) range.low = std::max(bin.low, 0.5);
    range.low = std::min(range.low, std::max(bin.low, 0.5));
    range.high = std::max({range.high, bin.high, range.low * 1.01});
  }
  return range;
}

}  // namespace weft::tools
