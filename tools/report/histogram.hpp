// The latency histogram on a logarithmic axis, as the terminal summary and the report draw it.
#pragma once

#include <vector>

#include "engine/base/types.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// The latency histogram in `columns` bins of equal width on a logarithmic axis from `low` to `high` cycles (0 < low <
/// high): packets per column, [column]. A bin that spans columns is spread over them by its fraction of the axis.
[[nodiscard]] std::vector<double> rebin_log(const std::vector<HistogramBin>& bins, double low, double high,
                                            u32 columns);
/// Range of the bins that hold packets, as bounds for rebin_log; {0, 0} if none does.
struct HistogramRange {
  double low = 0, high = 0;
};
[[nodiscard]] HistogramRange occupied_range(const std::vector<HistogramBin>& bins);

}  // namespace weft::tools
