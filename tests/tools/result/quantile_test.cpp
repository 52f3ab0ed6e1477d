// Quantiles of histograms against the latencies that were counted.
#include "tools/result/quantile.hpp"

#include <gtest/gtest.h>

#include "models/core/statistics.hpp"

namespace weft::stats {
namespace {

using models::LatencyHistogram;

TEST(LatencyQuantile, IsExactForSmallLatencies) {
  LatencyHistogram histogram;
  for (Tick latency = 1; latency <= 10; ++latency) histogram.add(latency);
  EXPECT_EQ(latency_quantile(histogram.counts(), 10, 0.5, 10), 5);
  EXPECT_EQ(latency_quantile(histogram.counts(), 10, 0.99, 10), 10);
  EXPECT_EQ(latency_quantile(histogram.counts(), 10, 0.0, 10), 1);
}

TEST(LatencyQuantile, LiesWithinAThirtySecondAndNeverAboveTheLargest) {
  for (const Tick latency : {17, 100, 1000, 123'456, 1'000'000'007}) {
    LatencyHistogram histogram;
    histogram.add(latency);
    const double found = latency_quantile(histogram.counts(), 1, 0.5, latency);
    EXPECT_LE(found, static_cast<double>(latency));
    EXPECT_NEAR(found, static_cast<double>(latency), static_cast<double>(latency) / 32);
  }
}

TEST(LatencyQuantile, OfNothingIsTheLargest) {
  const LatencyHistogram histogram;
  EXPECT_EQ(latency_quantile(histogram.counts(), 0, 0.5, 0), 0);
}

}  // namespace
}  // namespace weft::stats
