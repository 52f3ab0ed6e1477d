// Truncation and the decision to stop on series of which the answer is known.
#include "tools/run/mser.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace weft::tools {
namespace {

/// Noise of a mean of 0 and a deviation of 1, the same on all machines.
std::vector<double> noise(std::size_t count) {
  std::minstd_rand random(12345);
  std::vector<double> values(count);
  for (double& value : values) {
    double sum = 0;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random()) / 2147483647.0;
    value = sum - 6;
  }
  return values;
}

/// Intervals of 100 cycles and 1,000 packets with these accepted loads, and latencies of 50 times as much.
std::vector<IntervalRow> rows_of(const std::vector<double>& loads) {
  std::vector<IntervalRow> rows;
  for (std::size_t k = 0; k < loads.size(); ++k)
    rows.push_back({100 * k, 100 * (k + 1), 0.3, loads[k], 50 * loads[k], 1000});
  return rows;
}

std::vector<double> noisy(double mean, double deviation, std::size_t count) {
  std::vector<double> values = noise(count);
  for (double& value : values) value = mean + deviation * value;
  return values;
}

TEST(Mser, LeavesOutAStepBeforeTheSteadyState) {
  std::vector<double> series = noisy(0.3, 0.01, 100);
  for (std::size_t k = 0; k < 23; ++k) series[k] += 0.2;
  EXPECT_EQ(mser_truncation(series), 23U);
}

TEST(Mser, LeavesOutTheStartOfADecay) {
  std::vector<double> series = noisy(0.3, 0.005, 200);
  for (std::size_t k = 0; k < series.size(); ++k) series[k] -= 0.3 * std::exp(-static_cast<double>(k) / 10);
  EXPECT_GE(mser_truncation(series), 20U);  // the rest of it is 0.04
  EXPECT_LE(mser_truncation(series), 60U);
}

TEST(Mser, LeavesOutLittleOfNoiseAlone) { EXPECT_LE(mser_truncation(noisy(0.3, 0.01, 200)), 20U); }

TEST(Mser, LeavesOutNothingOfAConstant) { EXPECT_EQ(mser_truncation(std::vector<double>(50, 0.3)), 0U); }

TEST(Mser, LeavesOutMoreThanHalfOfADrift) {
  std::vector<double> series = noisy(0.3, 0.001, 100);
  for (std::size_t k = 0; k < series.size(); ++k) series[k] += 0.01 * static_cast<double>(k);
  EXPECT_GT(mser_truncation(series), 50U);
}

TEST(Mser, KeepsTheLastFiveWhateverTheyAre) {
  const std::vector<double> series{5, 1, 9, 2, 8, 3, 3, 3};
  EXPECT_LE(mser_truncation(series), 3U);
  EXPECT_EQ(mser_truncation(std::vector<double>{9, 1, 1}), 0U);
  EXPECT_EQ(mser_truncation({}), 0U);
}

TEST(Mser, DependsNeitherOnScaleNorOnOffset) {
  std::vector<double> series = noisy(0.3, 0.01, 100);
  for (std::size_t k = 0; k < 17; ++k) series[k] += 0.1;
  std::vector<double> other = series;
  for (double& value : other) value = 1e6 + 1000 * value;
  EXPECT_EQ(mser_truncation(other), mser_truncation(series));
}

TEST(SteadyWindow, OfNoiseIsNearlyAllOfItInEvenBatches) {
  const SteadyWindow window = steady_window(rows_of(noisy(0.3, 0.01, 500)), 10, 0.01);
  EXPECT_TRUE(window.converged());
  ASSERT_EQ(window.batches.size(), 10U);
  for (const IntervalRow& batch : window.batches) {
    EXPECT_EQ(batch.end - batch.begin, window.batches[0].end - window.batches[0].begin);
    EXPECT_NEAR(batch.accepted_load, 0.3, 0.006);
    EXPECT_NEAR(batch.latency_mean, 50 * batch.accepted_load, 1e-9);
  }
  EXPECT_EQ(window.batches.front().begin, window.first * mser_group * 100);
  EXPECT_EQ(window.batches.back().end, 50'000U);
}

TEST(SteadyWindow, BeginsBehindAStep) {
  std::vector<double> loads = noisy(0.3, 0.01, 500);
  for (std::size_t k = 0; k < 100; ++k) loads[k] = 0.1;
  const SteadyWindow window = steady_window(rows_of(loads), 10, 0.01);
  EXPECT_TRUE(window.converged());
  EXPECT_GE(window.first, 20U);
  EXPECT_LE(window.first, 30U);  // what does not fill ten batches goes with the warm-up
}

TEST(SteadyWindow, OfADriftNeverConverges) {
  for (const std::size_t length : {100U, 400U, 1600U}) {
    std::vector<double> loads = noisy(0.3, 0.001, length);
    for (std::size_t k = 0; k < length; ++k) loads[k] += 0.001 * static_cast<double>(k);
    const SteadyWindow window = steady_window(rows_of(loads), 10, 0.5);
    EXPECT_FALSE(window.truncated_in_first_half) << length;
    EXPECT_FALSE(window.converged());
    EXPECT_GE(window.batches.front().begin, 100 * length / 2);  // measured all the same, over the second half
  }
}

TEST(SteadyWindow, IsNotConvergedUntilBothIntervalsAreNarrow) {
  std::vector<IntervalRow> rows = rows_of(noisy(0.3, 0.02, 200));
  EXPECT_TRUE(steady_window(rows, 10, 0.05).converged());
  EXPECT_FALSE(steady_window(rows, 10, 0.001).converged());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].accepted_load = 0.3;
    rows[k].latency_mean *= k / 20 % 2 == 0 ? 1 : 2;
  }
  EXPECT_FALSE(steady_window(rows, 10, 0.05).precise);
}

TEST(SteadyWindow, OfAnIdleNetworkIsConverged) {
  std::vector<IntervalRow> rows = rows_of(std::vector<double>(100, 0.0));
  for (IntervalRow& row : rows) row.delivered_packets = 0;
  EXPECT_TRUE(steady_window(rows, 10, 0.01).converged());
}

TEST(SteadyWindow, MergesLoadsByTimeAndLatenciesByPacket) {
  const std::vector<IntervalRow> rows{{0, 100, 0.1, 0.2, 10, 30}, {100, 400, 0.5, 0.6, 20, 10}};
  const IntervalRow all = merged(rows);
  EXPECT_EQ(all.begin, 0U);
  EXPECT_EQ(all.end, 400U);
  EXPECT_NEAR(all.injected_load, 0.4, 1e-12);
  EXPECT_NEAR(all.accepted_load, 0.5, 1e-12);
  EXPECT_NEAR(all.latency_mean, 12.5, 1e-12);
  EXPECT_EQ(all.delivered_packets, 40U);
}

TEST(SteadyWindow, IsJudgedAfterAQuarterMoreEachTime) {
  EXPECT_EQ(next_judgement(0, 10), 20U);
  EXPECT_EQ(next_judgement(20, 10), 25U);
  EXPECT_EQ(next_judgement(100, 10), 125U);
  EXPECT_EQ(next_judgement(4, 2), 5U);
}

}  // namespace
}  // namespace weft::tools
