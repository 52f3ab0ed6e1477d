// Student's quantile and sums in the order of the samples; see the header.
#include "tools/stats/confidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tools/stats/deviation.hpp"

namespace weft::tools::stats {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double student_t95(u64 degrees) {
  constexpr std::array<double, 10> few{12.7062, 4.30265, 3.18245, 2.77645, 2.57058,
                                       2.44691, 2.36462, 2.30600, 2.26216, 2.22814};
  if (degrees == 0) return not_known;
  if (degrees <= few.size()) return few[degrees - 1];
  // Cornish and Fisher's expansion about the normal quantile; Abramowitz and Stegun 26.7.5.
  constexpr double z = 1.959963985, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const double n = static_cast<double>(degrees);
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

double half_width95(std::span<const double> values) { return half_width95(deviation_of(values), values.size()); }

double half_width95(double deviation, u64 values) {
  if (values < 2) return not_known;
  return student_t95(values - 1) * deviation / std::sqrt(static_cast<double>(values));
}

double lag1_autocorrelation(std::span<const double> values) {
  if (values.size() < 3) return not_known;
  const auto [least, most] = std::ranges::minmax(values);
  if (least == most) return not_known;
  const double mean = mean_of(values);
  double sum = 0;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) sum += (values[k] - mean) * (values[k + 1] - mean);
  return sum / squares_about(values, mean);
}

bool batches_too_short(double autocorrelation, u64 batches) {
  return batches >= 8 && autocorrelation > std::max(0.3, 2 / std::sqrt(static_cast<double>(batches)));
}

}  // namespace weft::tools::stats
