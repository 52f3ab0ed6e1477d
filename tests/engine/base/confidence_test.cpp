// Confidence intervals and correlations against textbook values.
#include "engine/base/confidence.hpp"

#include <cmath>
#include <gtest/gtest.h>
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
