// Numbers as people read them, shared by the terminal summary, the report and the progress line.
#pragma once

#include <string>
#include <vector>

#include "engine/types.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(u64 value);
/// `digits` significant digits without an exponent where that is readable; whole numbers without decimals;
/// "n/a" if not finite.
[[nodiscard]] std::string significant(double value, int digits = 4);
/// " ± 0.0019": half of the 95 % confidence interval of a mean (tools/simulate/confidence.hpp), and nothing else ever;
/// empty where there is none.
[[nodiscard]] std::string plus_minus(double half_width, int digits = 2);
/// 12345678 -> "12.3 M": three digits and a decimal prefix (k, M, G, T), a space before it; "850" below a thousand.
[[nodiscard]] std::string with_prefix(double value);
/// 671088640 -> "640 MiB".
[[nodiscard]] std::string byte_size(double bytes);
/// Seconds as "850 ms", "12.3 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string duration(double seconds);

/// The latency histogram in `columns` bins of equal width on a logarithmic axis from `low` to `high` cycles (0 < low <
/// high): packets per column, [column]. A bin that spans columns is spread over them by its share of the axis.
[[nodiscard]] std::vector<double> rebin_log(const std::vector<HistogramBin>& bins, double low, double high,
                                            u32 columns);
/// Range of the bins that hold packets, as bounds for rebin_log; {0, 0} if none does.
struct HistogramRange {
  double low = 0, high = 0;
};
[[nodiscard]] HistogramRange occupied_range(const std::vector<HistogramBin>& bins);

}  // namespace weft::tools
