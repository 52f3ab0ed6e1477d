// Every way to a standard deviation leads to the same one.
#include "engine/base/deviation.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace weft::stats {
namespace {

TEST(Deviation, IsTheSameFromValuesFromSumsAndOneByOne) {
  const std::vector<double> values{0.25, 1, 3, 3.5, 8};
  double sum = 0, squares = 0;
  RunningDeviation running;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    running.add(value);
  }
  const double expected = std::sqrt((2.9 * 2.9 + 2.15 * 2.15 + 0.15 * 0.15 + 0.35 * 0.35 + 4.85 * 4.85) / 4);
  EXPECT_NEAR(deviation_of(values), expected, 1e-12);
  EXPECT_NEAR(deviation_from_sums(5, sum, squares), expected, 1e-12);
  EXPECT_NEAR(running.deviation(), expected, 1e-12);
  EXPECT_NEAR(deviation_of_all(5, sum, squares), expected * std::sqrt(0.8), 1e-12);
  EXPECT_NEAR(running.mean(), mean_of(values), 1e-12);
  EXPECT_EQ(running.values(), 5U);
}

TEST(Deviation, OfEqualValuesIsNothing) {
  RunningDeviation running;
  for (u32 k = 0; k < 3; ++k) running.add(0.3);
  EXPECT_EQ(running.deviation(), 0);
  EXPECT_EQ(deviation_of(std::vector<double>{0.3, 0.3, 0.3}), 0);
  EXPECT_NEAR(deviation_from_sums(3, 0.9, 0.27), 0, 1e-8);
}

TEST(Deviation, OfLessThanTwoValuesIsNone) {
  EXPECT_TRUE(std::isnan(mean_of({})));
  EXPECT_TRUE(std::isnan(deviation_of(std::vector<double>{1})));
  RunningDeviation running;
  EXPECT_EQ(running.deviation(), 0);
  running.add(7);
  EXPECT_EQ(running.deviation(), 0);
  EXPECT_EQ(running.mean(), 7);
}

}  // namespace
}  // namespace weft::stats
