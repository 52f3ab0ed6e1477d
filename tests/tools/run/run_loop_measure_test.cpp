// What the run loop measures: intervals until a load has settled, and MSER.
#include <random>

#include "tests/tools/run/run_loop_setting.hpp"

namespace weft::tools::testing {
namespace {

TEST_F(RunLoopTest, ASteadyLoadIsMeasuredFromTheFirstIntervalsOn) {
  Setting run(config(short_plan));
  run.traffic(10, 30, 100'000);
  RunLoop& loop = run.start();
  loop.measure_steady_state();
  loop.finish("steady-state", loop.now_cycles());
  const RunResult& result = run.context.result;
  ASSERT_EQ(result.intervals.size(), 3U);
  EXPECT_EQ(result.intervals[0].begin, 500U);
  EXPECT_EQ(result.intervals[2].end, 3500U);
  ASSERT_EQ(result.batches.size(), 4U);
  EXPECT_EQ(result.batches[0].begin, 3500U);
  for (const IntervalRow& row : result.batches) {
    EXPECT_EQ(row.delivered_packets, 50U);
    EXPECT_DOUBLE_EQ(row.accepted_load, 0.1);  // 50 packets of 16 phits in 500 cycles of 16 nodes
    EXPECT_DOUBLE_EQ(row.injected_load, 0.1);
    EXPECT_DOUBLE_EQ(row.latency_mean, 30);
  }
  EXPECT_EQ(result.cycles, 5500U);
  EXPECT_TRUE(result.measured);
  EXPECT_DOUBLE_EQ(result.load_accepted, 0.1);
  EXPECT_DOUBLE_EQ(result.load_accepted_stddev, 0);
  EXPECT_DOUBLE_EQ(result.latency_mean, 30);
  EXPECT_DOUBLE_EQ(result.latency_network_mean, 30);
  EXPECT_EQ(result.latency_histogram.at(0).packets, 200U);  // of the batches alone
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.load_accepted_ci95, 0);
}

TEST_F(RunLoopTest, IntervalsGoOnUntilTheLoadHasSettled) {
  Setting run(config(short_plan));
  run.traffic(20, 30, 3500);
  run.traffic(10, 30, 100'000, 3500);
  RunLoop& loop = run.start();
  loop.measure_steady_state();
  const RunResult& result = run.context.result;
  // 500-3500 looks settled already: the loop takes what it is told to; 0.05 there, 0.1 in the batches.
  ASSERT_EQ(result.intervals.size(), 3U);
  EXPECT_DOUBLE_EQ(result.intervals[2].accepted_load, 0.05);

  Setting late(config(short_plan));
  late.traffic(20, 30, 2500);
  late.traffic(10, 30, 100'000, 2500);
  late.start().measure_steady_state();
  const RunResult& settled = late.context.result;
  ASSERT_EQ(settled.intervals.size(), 6U);  // two slow ones, one in between, three fast ones
  EXPECT_DOUBLE_EQ(settled.intervals[1].accepted_load, 0.05);
  EXPECT_DOUBLE_EQ(settled.intervals[5].accepted_load, 0.1);
  EXPECT_EQ(settled.batches.front().begin, 6500U);
}

TEST_F(RunLoopTest, ALoadThatNeverSettlesIsMeasuredWithAWarning) {
  Setting run(config(short_plan));
  for (Tick begin = 0; begin < 40'000; begin += 2000) {  // every other interval is busy
    run.traffic(10, 30, begin + 1000, begin);
    run.traffic(40, 30, begin + 2000, begin + 1000);
  }
  run.start().measure_steady_state();
  EXPECT_EQ(run.context.result.intervals.back().end, 20'500U);
  EXPECT_EQ(run.context.result.batches.size(), 4U);
  ASSERT_EQ(run.context.result.warnings.size(), 1U);
  EXPECT_TRUE(contains(run.context.result.warnings[0], "did not settle"));
  EXPECT_GT(run.context.result.load_accepted_stddev, 0);
  EXPECT_FALSE(run.context.result.converged);
}

TEST_F(RunLoopTest, AnMserRunLeavesOutItsSlowBeginAndNoMore) {
  Setting run(config(mser_plan));
  run.traffic(20, 30, 3000);
  run.traffic(10, 40, 200'000, 3000);
  RunLoop& loop = run.start();
  loop.measure_steady_state();
  loop.finish("steady-state", loop.now_cycles());
  const RunResult& result = run.context.result;
  EXPECT_EQ(result.cycles, 20'000U);  // at the first look it was enough
  EXPECT_EQ(result.intervals.size(), 100U);
  ASSERT_EQ(result.batches.size(), 10U);
  EXPECT_EQ(result.batches.front().begin, 10'000U);  // ten batches of a group each leave no choice
  EXPECT_EQ(result.batches.back().end, 20'000U);
  EXPECT_TRUE(result.converged);
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_DOUBLE_EQ(result.load_accepted, 0.1);
  EXPECT_DOUBLE_EQ(result.latency_mean, 40);
  EXPECT_DOUBLE_EQ(result.latency_max, 40);
  EXPECT_DOUBLE_EQ(result.latency_network_mean, 40);
  ASSERT_EQ(result.latency_histogram.size(), 1U);  // nothing of the warm-up is in it
  EXPECT_EQ(result.latency_histogram[0].packets, 1000U);
  EXPECT_NEAR(result.load_accepted_ci95, 0, 1e-12);
}

TEST_F(RunLoopTest, AnMserRunThatNeverSettlesEndsAtItsLimitAndSaysSo) {
  Setting run(config(mser_plan));
  for (Tick begin = 0; begin < 45'000; begin += 1000) run.traffic(60 - begin / 1000, 30, begin + 1000, begin);
  run.start().measure_steady_state();
  const RunResult& result = run.context.result;
  EXPECT_EQ(result.intervals.back().end, 40'000U);
  EXPECT_FALSE(result.converged);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_TRUE(contains(result.warnings[0], "did not settle within measure.max_cycles = 40000"));
  EXPECT_EQ(result.batches.front().begin, 20'000U);
}

TEST_F(RunLoopTest, AnMserRunThatIsNotPreciseEnoughGoesOnToItsLimit) {
  Setting run(config(mser_plan));
  std::minstd_rand random(7);
  for (Tick begin = 0; begin < 45'000; begin += 1000)  // busy groups and quiet ones, in no order
    run.traffic(random() % 2 == 0 ? 10 : 40, 30, begin + 1000, begin);
  run.start().measure_steady_state();
  const RunResult& result = run.context.result;
  EXPECT_EQ(result.intervals.back().end, 40'000U);
  EXPECT_FALSE(result.converged);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_TRUE(contains(result.warnings[0], "before the confidence intervals were within"));
}

TEST_F(RunLoopTest, LoadsAreOfCellsWherePacketsHaveAnyLength) {
  Setting run(config(std::string(short_plan) + "statistics = {series_cycles = 500}\n"));
  run.context.counts_cells = true;
  run.simulation->cells = 4;
  models::DetailSettings counted;
  counted.interval_ticks = 500 * run.context.router.cycle_ticks;
  counted.unit_ticks = run.context.router.cycle_ticks;
  run.simulation->counted.emplace(counted);
  run.traffic(10, 35, 20'000);
  run.start().measure_steady_state();
  run.loop->finish("steady-state", run.loop->now_cycles());
  const RunResult& result = run.context.result;
  ASSERT_FALSE(result.batches.empty());
  for (const IntervalRow& row : result.batches) EXPECT_DOUBLE_EQ(row.accepted_load, 0.1 / 16 * 4);
  EXPECT_DOUBLE_EQ(result.load_accepted, 0.1 / 16 * 4);
  ASSERT_GT(result.extra.series.size(), 1U);
  EXPECT_DOUBLE_EQ(result.extra.series[1].accepted_load, 0.1 / 16 * 4);
  EXPECT_DOUBLE_EQ(result.extra.series[1].injected_load, 0.1 / 16 * 4);
}

}  // namespace
}  // namespace weft::tools::testing
