// Student's quantile and sums in the order of the samples; see the header.
#include "engine/base/confidence.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"

namespace weft::stats {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double student_t(u64 degrees, double percent) {
  WEFT_ASSERT(percent > 0 && percent < 100);
  if (degrees == 0) return not_known;
  const boost::math::students_t distribution(static_cast<double>(degrees));
  return boost::math::quantile(boost::math::complement(distribution, (100 - percent) / 200));
}

double half_width(std::span<const double> values, double percent) {
  if (values.size() < 2) return not_known;
  return student_t(values.size() - 1, percent) * deviation_of(values) / std::sqrt(static_cast<double>(values.size()));
}

double student_t95(u64 degrees) { return student_t(degrees, 95); }

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

}  // namespace weft::stats
