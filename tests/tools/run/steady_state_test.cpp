// The rules of the steady state on hand-made intervals.
#include "tools/run/steady_state.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace weft::tools {
namespace {

std::vector<IntervalRow> with_loads(const std::vector<double>& loads) {
  std::vector<IntervalRow> rows;
  for (const double load : loads) rows.push_back({.accepted_load = load});
  return rows;
}

MeasurePlan plan_of(u32 intervals, double tolerance) {
  MeasurePlan plan;
  plan.intervals = intervals;
  plan.tolerance_fraction = tolerance;
  return plan;
}

TEST(SteadyState, NeedsAsManyIntervalsAsThePlanSays) {
  EXPECT_FALSE(settled(with_loads({0.3, 0.3}), plan_of(3, 0.05)));
  EXPECT_TRUE(settled(with_loads({0.3, 0.3, 0.3}), plan_of(3, 0.05)));
}

TEST(SteadyState, LooksAtTheLastIntervalsOnly) {
  EXPECT_TRUE(settled(with_loads({0.1, 0.2, 0.300, 0.305, 0.301}), plan_of(3, 0.05)));
  EXPECT_FALSE(settled(with_loads({0.300, 0.305, 0.301, 0.2}), plan_of(3, 0.05)));
}

TEST(SteadyState, ToleranceIsAFractionOfTheLargestLoadAndInclusive) {
  EXPECT_TRUE(settled(with_loads({0.95, 1.0}), plan_of(2, 0.0625)));
  EXPECT_TRUE(settled(with_loads({0.9375, 1.0}), plan_of(2, 0.0625)));
  EXPECT_FALSE(settled(with_loads({0.9374, 1.0}), plan_of(2, 0.0625)));
}

TEST(SteadyState, AnIdleNetworkIsSettled) { EXPECT_TRUE(settled(with_loads({0, 0}), plan_of(2, 0.05))); }

TEST(SteadyState, SpreadOfBatchesIsTheSampleStandardDeviation) {
  EXPECT_NEAR(accepted_stddev(with_loads({0.2, 0.3, 0.4})), 0.1, 1e-12);
  EXPECT_EQ(accepted_stddev(with_loads({0.3})), 0);
  EXPECT_EQ(accepted_stddev(with_loads({})), 0);
  EXPECT_NEAR(accepted_stddev(with_loads({0.3, 0.3, 0.3})), 0, 1e-8);
}

RunResult judged(const std::vector<double>& loads) {
  RunResult result;
  for (const double load : loads) {
    result.batches.push_back({0, 0, load, load, 100 * load, 5});
    result.batches.back().begin = 1000;
  }
  judge_batches(result);
  return result;
}

TEST(Batches, GiveConfidenceIntervalsOfLoadAndLatency) {
  const RunResult r = judged({0.1, 0.2, 0.3, 0.4, 0.5});
  EXPECT_TRUE(r.measured);
  EXPECT_NEAR(r.load_accepted_ci95, 2.776445105198655 * 0.158113883 / std::sqrt(5.0), 1e-8);
  EXPECT_NEAR(r.latency_mean_ci95, 100 * r.load_accepted_ci95, 1e-9);
  EXPECT_NEAR(r.load_autocorrelation, 0.4, 1e-12);
  EXPECT_TRUE(r.warnings.empty());  // five cannot tell
}

TEST(Batches, ThatFollowEachOtherTooCloselyAreAWarning) {
  std::vector<double> wave;
  for (int k = 0; k < 40; ++k) wave.push_back(0.3 + 0.1 * std::sin(k * 0.16));
  const RunResult r = judged(wave);
  ASSERT_EQ(r.warnings.size(), 2U);  // of the load and of the latency
  EXPECT_NE(r.warnings[0].find("too short"), std::string::npos);
  EXPECT_NE(r.warnings[0].find("measure.batch_cycles"), std::string::npos);
}

TEST(Batches, WithoutADeliveryHaveNoLatency) {
  RunResult r;
  r.batches = {{0, 10, 0, 0.1, 20, 3}, {10, 20, 0, 0, 0, 0}};
  judge_batches(r);
  EXPECT_TRUE(std::isnan(r.latency_mean_ci95));
  EXPECT_FALSE(std::isnan(r.load_accepted_ci95));
}

RunResult measured(double growth, double interval) {
  RunResult r;
  r.load_accepted = 0.5;
  r.load_growth = growth;
  r.load_accepted_ci95 = interval;
  r.latency_mean = 100;
  judge_steadiness(r);
  return r;
}

TEST(Steadiness, EndsWhereTheAcceptedLoadIsBelowTheGeneratedOneByMoreThanItsInterval) {
  EXPECT_TRUE(measured(0.1, 0.0024).saturated());
  EXPECT_FALSE(measured(0.1, 0.0024).converged);
  EXPECT_EQ(measured(0.1, 0.0024).warnings.size(), 1U);
  EXPECT_FALSE(measured(0.1, 0.11).saturated());
  EXPECT_FALSE(measured(0.004, 0).saturated());  // packets in flight come and go
  EXPECT_FALSE(measured(-0.1, 0.0024).saturated());
  EXPECT_FALSE(measured(0.1, no_figure).saturated());  // of one batch nothing is known
  EXPECT_TRUE(measured(no_figure, 0.0024).converged);
}

TEST(Steadiness, EndsWhereTheLatencyIsKnownToNoMoreThanAQuarter) {
  RunResult r;
  r.latency_mean = 2598;
  r.latency_mean_ci95 = 1024;
  judge_steadiness(r);
  EXPECT_FALSE(r.converged || r.saturated());
  EXPECT_EQ(r.warnings.size(), 1U);
  r = {};
  r.latency_mean = 100;
  r.latency_mean_ci95 = 25;
  judge_steadiness(r);
  EXPECT_TRUE(r.converged && r.warnings.empty());
}

}  // namespace
}  // namespace weft::tools
