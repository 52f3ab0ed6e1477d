// Means and standard deviations, from values that are kept, from values that come one by one, and from sums.
#pragma once

#include <span>

#include "engine/base/types.hpp"

namespace weft::stats {

/// NaN of no values.
[[nodiscard]] double mean_of(std::span<const double> values);
/// Sum of the squared distances from `about`.
[[nodiscard]] double squares_about(std::span<const double> values, double about);
/// Sample standard deviation (n - 1 in the denominator); NaN for less than two values.
[[nodiscard]] double deviation_of(std::span<const double> values);

/// Sample standard deviation of `n` values, more than one, from their sum and the sum of their squares: for what is
/// summed over ranks. Digits are lost where values differ little from one another.
[[nodiscard]] double deviation_from_sums(double n, double sum, double squares);
/// Standard deviation of `n` values that are all there are, not a sample (n in the denominator).
[[nodiscard]] double deviation_of_all(double n, double sum, double squares);

/// Mean and deviation of values taken one by one, by Welford's sums: no digits are lost however many there are.
class RunningDeviation {
 public:
  void add(double value);
  [[nodiscard]] u64 values() const { return values_; }
  [[nodiscard]] double mean() const { return mean_; }  ///< 0 of no values
  [[nodiscard]] double deviation() const;              ///< of a sample; 0 for less than two values

 private:
  u64 values_ = 0;
  double mean_ = 0, squares_ = 0;
};

}  // namespace weft::stats
