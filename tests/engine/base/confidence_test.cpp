// Confidence intervals and correlations against textbook values.
#include "engine/base/confidence.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <vector>

#include "engine/base/deviation.hpp"

namespace weft::stats {
namespace {

TEST(Confidence, QuantilesAreThoseOfStudentsTable) {
  const std::pair<u64, double> table[] = {{1, 12.7062},  {4, 2.77645},   {9, 2.26216},
                                          {10, 2.22814}, {11, 2.20099},  {15, 2.13145},
                                          {30, 2.04227}, {100, 1.98397}, {1000000, 1.95997}};
  for (const auto& [degrees, t] : table) EXPECT_NEAR(student_t95(degrees), t, 1e-5) << degrees;
  EXPECT_TRUE(std::isnan(student_t95(0)));
}

TEST(Confidence, OtherLevelsAreThoseOfStudentsTable) {
  // Two-sided points of any statistical table: degrees, 90 %, 95 %, 99 %, 99.9 %.
  constexpr double table[][5] = {{1, 6.3138, 12.7062, 63.6567, 636.6192},
                                 {2, 2.9200, 4.3027, 9.9248, 31.5991},
                                 {4, 2.1318, 2.7764, 4.6041, 8.6103},
                                 {9, 1.8331, 2.2622, 3.2498, 4.7809},
                                 {29, 1.6991, 2.0452, 2.7564, 3.6594}};
  constexpr double levels[] = {90, 95, 99, 99.9};
  for (const auto& row : table) {
    for (std::size_t k = 0; k < std::size(levels); ++k)
      EXPECT_NEAR(student_t(static_cast<u64>(row[0]), levels[k]), row[k + 1], 1e-4) << row[0] << ", " << levels[k];
  }
  EXPECT_TRUE(std::isnan(student_t(0, 99)));
  const std::vector<double> values{1, 2, 3, 4, 5};
  EXPECT_NEAR(half_width(values, 99), 4.6041 * std::sqrt(2.5) / std::sqrt(5.0), 1e-4);
  EXPECT_DOUBLE_EQ(half_width(values, 95), half_width95(values));
  EXPECT_TRUE(std::isnan(half_width(std::vector<double>{1}, 90)));
}

TEST(Confidence, HalfWidthIsTOverRootNTimesTheDeviation) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(mean_of(values), 3);
  EXPECT_DOUBLE_EQ(deviation_of(values), std::sqrt(2.5));
  EXPECT_NEAR(half_width95(values), 2.776445105198655 * std::sqrt(2.5) / std::sqrt(5.0), 1e-9);
}

TEST(Confidence, OneValueHasNoIntervalAndEqualOnesHaveAnEmptyOne) {
  EXPECT_TRUE(std::isnan(half_width95(std::vector<double>{1})));
  EXPECT_TRUE(std::isnan(half_width95({})));
  EXPECT_EQ(half_width95(std::vector<double>{0.3, 0.3, 0.3}), 0);
}

TEST(Autocorrelation, IsHighForASlowWaveAndNegativeForAnAlternation) {
  std::vector<double> wave, alternation;
  for (int k = 0; k < 40; ++k) {
    wave.push_back(std::sin(k * 0.16));
    alternation.push_back(k % 2);
  }
  EXPECT_GT(lag1_autocorrelation(wave), 0.9);
  EXPECT_NEAR(lag1_autocorrelation(alternation), -39.0 / 40, 1e-12);
  EXPECT_NEAR(lag1_autocorrelation(std::vector<double>{1, 2, 3}), 0, 1e-12);  // (-1*0 + 0*1) / 2
}

TEST(Autocorrelation, OfTwoValuesOrEqualOnesIsNone) {
  EXPECT_TRUE(std::isnan(lag1_autocorrelation(std::vector<double>{1, 2})));
  EXPECT_TRUE(std::isnan(lag1_autocorrelation(std::vector<double>{1, 1, 1, 1})));
}

TEST(Autocorrelation, FewBatchesNeedMoreOfItThanManyToBeCalledTooShort) {
  EXPECT_FALSE(batches_too_short(0.99, 7));
  EXPECT_FALSE(batches_too_short(0.5, 10));
  EXPECT_TRUE(batches_too_short(0.7, 10));
  EXPECT_TRUE(batches_too_short(0.31, 100));
  EXPECT_FALSE(batches_too_short(0.29, 100'000));
  EXPECT_FALSE(batches_too_short(std::nan(""), 100));
}

}  // namespace
}  // namespace weft::stats
