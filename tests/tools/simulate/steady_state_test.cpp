// The rules of the steady state on hand-made intervals.
#include "tools/simulate/steady_state.hpp"

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

}  // namespace
}  // namespace weft::tools
