// How far a mean can be trusted: Student's interval of independent samples, and whether samples in a row are
// independent.
#pragma once

#include <span>

#include "engine/base/types.hpp"

namespace weft::stats {

/// Two-sided quantile of Student's t distribution for a confidence of so many percent, above 0 and below 100; NaN for 0
/// degrees of freedom.
[[nodiscard]] double student_t(u64 degrees, double percent);
/// Half the width of the confidence interval of the mean of independent values; NaN for less than two.
[[nodiscard]] double half_width(std::span<const double> values, double percent);

/// Two-sided 95 % quantile of Student's t distribution; NaN for 0 degrees of freedom.
[[nodiscard]] double student_t95(u64 degrees);

/// Half the width of the 95 % confidence interval of the mean of independent values; NaN for less than two. It is what
/// `±` stands for in all that is printed, unless measure.confidence_percent says otherwise.
[[nodiscard]] double half_width95(std::span<const double> values);
/// Half the width of the 95 % confidence interval of the mean of so many values with this standard deviation.
[[nodiscard]] double half_width95(double deviation, u64 values);
/// Correlation of each value with the next one; NaN for less than three values, or where all are equal.
[[nodiscard]] double lag1_autocorrelation(std::span<const double> values);

/// Whether so many batches with this correlation are too short to count as independent: above 0.3, and above what
/// independent ones reach by chance (two standard deviations, 2 / sqrt(n)). Never for less than 8, which cannot tell.
[[nodiscard]] bool batches_too_short(double autocorrelation, u64 batches);

}  // namespace weft::stats
