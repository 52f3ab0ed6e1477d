// Sums in the order of the samples: equal samples give equal bits on any number of ranks.
#include "engine/base/deviation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::stats {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(values.size());
}

double squares_about(std::span<const double> values, double about) {
  double sum = 0;
  for (const double value : values) sum += (value - about) * (value - about);
  return sum;
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(squares_about(values, mean_of(values)) / static_cast<double>(values.size() - 1));
}

double deviation_from_sums(double n, double sum, double squares) {
  return std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1));
}

double deviation_of_all(double n, double sum, double squares) {
  const double mean = sum / n;
  return std::sqrt(std::max(0.0, squares / n - mean * mean));
}

void RunningDeviation::add(double value) {
  const double n = static_cast<double>(++values_), from_mean = value - mean_;
  mean_ += from_mean / n;
  squares_ += from_mean * (value - mean_);
}

double RunningDeviation::deviation() const {
  return values_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(values_ - 1));
}

}  // namespace weft::stats
