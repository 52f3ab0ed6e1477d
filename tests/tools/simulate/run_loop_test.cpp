// The run loop on a made-up network with a made-up clock: where it stops, what it measures, when it saves.
#include "tools/simulate/run_loop.hpp"

#include <memory>
#include <random>

#include "tests/tools/config/config_file.hpp"
#include "tests/tools/simulate/fake_simulation.hpp"
#include "tools/checkpoint/stop_signal.hpp"
#include "tools/simulate/split.hpp"

namespace weft::tools::testing {
namespace {

/// A run of a 4x4 torus with packets of 16 phits and a tick a cycle, as far as the loop is concerned.
struct Setting {
  explicit Setting(const Config& c) : config(c), context(config, *transport, nullptr) {
    prepare(context);
    layout = std::make_unique<models::Layout>(lay_out(context));
    simulation = std::make_unique<FakeSimulation>(clock, layout->entities());
  }
  RunLoop& start() {
    loop = std::make_unique<RunLoop>(context, *simulation, *layout, clock);
    loop->resume_or_start();
    loop->begin();
    return *loop;
  }
  /// One packet every `period` ticks from `from` to `until`, each delivered `latency` later.
  void traffic(Tick period, Tick latency, Tick until, Tick from = 0) {
    for (Tick t = from; t < until; t += period) simulation->script.push_back({t, t + latency});
  }

  Config config;
  std::unique_ptr<engine::Transport> transport = engine::single_process();
  Context context;
  FakeClock clock;
  std::unique_ptr<models::Layout> layout;
  std::unique_ptr<FakeSimulation> simulation;
  std::unique_ptr<RunLoop> loop;
};

class RunLoopTest : public ConfigFile {
 protected:
  void TearDown() override {
    watch_stop_signals();  // forgets one that has come
    unwatch_stop_signals();
    ConfigFile::TearDown();
  }
  [[nodiscard]] Config config(const std::string& more = "") const {
    return load("topology = {kind = \"torus\", dims = [4, 4]}\n" + more);
  }
  [[nodiscard]] std::string checkpoint() const { return (directory_ / "run.ckpt.h5").string(); }
};

/// Lengths of the stretches that a run was cut into.
std::vector<Tick> lengths(const std::vector<Tick>& stops) {
  std::vector<Tick> result;
  for (std::size_t k = 0; k < stops.size(); ++k) result.push_back(stops[k] - (k == 0 ? 0 : stops[k - 1]));
  return result;
}

constexpr double speeds[] = {0, 1e-5, 1e-4, 1e-3, 1e-2};  ///< seconds per tick

TEST_F(RunLoopTest, StretchesGrowWhileTheyTakeNoTime) {
  Setting run(config());
  run.traffic(10, 30, 10'000);
  EXPECT_TRUE(run.start().run_to(256 + 512 + 1024 + 2048 + 100));
  EXPECT_EQ(lengths(run.simulation->stops), (std::vector<Tick>{256, 512, 1024, 2048, 100}));
}

TEST_F(RunLoopTest, StretchesShrinkUntilTheyTakeNoMoreThanTheyShould) {
  Setting run(config());
  run.traffic(10, 30, 1000);
  run.simulation->seconds_per_tick = 0.5 / 256;
  run.start().run_to(256 + 3 * 128);
  EXPECT_EQ(lengths(run.simulation->stops), (std::vector<Tick>{256, 128, 128, 128}));
}

TEST_F(RunLoopTest, StretchesNeverBecomeShorterThanSixtyFourCycles) {
  Setting run(config());
  run.traffic(10, 30, 1000);
  run.simulation->seconds_per_tick = 1;
  run.start().run_to(256 + 128 + 64 + 64);
  EXPECT_EQ(lengths(run.simulation->stops), (std::vector<Tick>{256, 128, 64, 64}));
}

TEST_F(RunLoopTest, ARunEndsAtMaxCyclesHoweverItIsCut) {
  for (const double speed : speeds) {
    Setting run(config("simulation = {max_cycles = 777}\n"));
    run.traffic(10, 30, 10'000);
    run.simulation->seconds_per_tick = speed;
    RunLoop& loop = run.start();
    try {
      loop.run_to(5000);
      FAIL() << "went beyond max_cycles with " << speed << " s a tick";
    } catch (const StuckError& error) {
      EXPECT_TRUE(contains(error.what(), "simulation.max_cycles = 777"));
    }
    EXPECT_EQ(loop.now_cycles(), 777U) << speed;
    EXPECT_EQ(run.simulation->stops.back(), 777U) << speed;
  }
}

TEST_F(RunLoopTest, ARunThatIsOverAtMaxCyclesIsNotStuck) {
  Setting run(config("simulation = {max_cycles = 777}\n"));
  run.traffic(10, 30, 10'000);
  EXPECT_TRUE(run.start().run_to(777));
}

TEST_F(RunLoopTest, TheWatchdogFiresAtOneTickHoweverTheRunIsCut) {
  for (const double speed : speeds) {
    Setting run(config("simulation = {watchdog_cycles = 1000}\n"));
    run.simulation->script = {{10, {}}, {20, 50}, {100'000, {}}};
    run.simulation->seconds_per_tick = speed;
    RunLoop& loop = run.start();
    try {
      loop.run_to(5000);
      FAIL() << "nobody noticed the packet that hangs, with " << speed << " s a tick";
    } catch (const StuckError& error) {
      EXPECT_TRUE(contains(error.what(), "at cycle 1051 with 1 packets under way"));
      EXPECT_TRUE(contains(error.what(), "no packet was delivered for 1001 cycles"));
    }
    EXPECT_EQ(loop.now_cycles(), 1051U) << speed;
  }
}

TEST_F(RunLoopTest, TheWatchdogCountsFromTheBirthOfTheOldestPacketIfThatCameLater) {
  Setting run(config("simulation = {watchdog_cycles = 1000}\n"));
  run.simulation->script = {{20, 50}, {3000, {}}, {100'000, {}}};
  RunLoop& loop = run.start();
  EXPECT_THROW(loop.run_to(50'000), StuckError);
  EXPECT_EQ(loop.now_cycles(), 4001U);
}

TEST_F(RunLoopTest, TheWatchdogNamesItsKey) {
  Setting run(config("simulation = {watchdog_cycles = 1000}\n"));
  run.simulation->script = {{10, {}}, {100'000, {}}};
  try {
    run.start().run_to(5000);
    FAIL() << "nobody noticed the packet that hangs";
  } catch (const StuckError& error) {
    EXPECT_TRUE(contains(error.what(), "simulation.watchdog_cycles = 1000"));
  }
}

TEST_F(RunLoopTest, TheWatchdogBearsTheLatenciesOfAllLinks) {
  Setting run(config("simulation = {watchdog_cycles = 100}\nlink = {latency_cycles = 30}\n"));
  run.simulation->script = {{10, 1500}, {100'000, {}}};
  EXPECT_TRUE(run.start().run_to(5000));
}

/// Injection closes at the second count that finds packets in the network.
constexpr const char* closed_early = "router = {gcc_packets = 1, gcc_period_cycles = 10}\n";

TEST_F(RunLoopTest, ARunIsNotOverWhileCongestionControlHoldsPacketsBack) {
  for (const double speed : speeds) {
    Setting run(config(closed_early));
    run.traffic(1, 100, 50);
    run.simulation->seconds_per_tick = speed;
    RunLoop& loop = run.start();
    loop.run_out();
    loop.finish("workload-complete", loop.completion_cycles());
    EXPECT_EQ(run.context.result.packets_delivered, 50U) << speed;
    EXPECT_EQ(run.simulation->injection_changes.front(), (std::pair<Tick, bool>{20, false})) << speed;
    EXPECT_TRUE(run.simulation->injection_changes.at(1).second) << speed;
  }
}

TEST_F(RunLoopTest, BurstsUnderCongestionControlAreTheSameHoweverTheRunIsCut) {
  std::vector<Tick> begins;
  for (const double speed : speeds) {
    Setting run(config(std::string(closed_early) + "workload = {kind = \"burst\"}\n"));
    run.simulation->burst_packets = 25;
    run.simulation->burst_latency = 33;
    run.simulation->seconds_per_tick = speed;
    RunLoop& loop = run.start();
    loop.run_bursts(4);
    loop.finish("workload-complete", loop.completion_cycles());
    EXPECT_EQ(run.context.result.packets_delivered, 100U) << speed;
    if (begins.empty()) begins = run.simulation->burst_begins;
    EXPECT_EQ(run.simulation->burst_begins, begins) << speed;
  }
}

TEST_F(RunLoopTest, PacketsAreNotCountedWhileNothingHappens) {
  Setting run(config("router = {gcc_packets = 5, gcc_period_cycles = 1}\n"));
  run.simulation->script = {{10, 40}, {1'000'000, 1'000'030}};
  run.start().run_out();
  EXPECT_LT(run.simulation->stops.size(), 300U);
  EXPECT_EQ(run.simulation->statistics().counters.delivered, 2U);
}

TEST_F(RunLoopTest, ARunMayUseAllOfItsLastCycle) {
  for (const Tick most : {105, 104}) {
    Setting run(config("simulation = {max_cycles = " + std::to_string(most) + "}\n"));
    run.simulation->script = {{10, 104}};
    run.simulation->echo = 7;  // a credit, say
    RunLoop& loop = run.start();
    const auto to_the_end = [&] {
      loop.run_out();
      loop.finish("workload-complete", loop.completion_cycles());
    };
    if (most == 105) {
      EXPECT_NO_THROW(to_the_end());
      EXPECT_EQ(run.context.result.cycles, 105U);
    } else {
      EXPECT_THROW(to_the_end(), StuckError);
    }
  }
}

TEST_F(RunLoopTest, ARunThatGoesOnBehindItsLimitIsStoppedThereAtOnce) {
  Setting run(config("simulation = {max_cycles = 100}\n"));
  run.simulation->script = {{10, 90}, {100'000, 100'010}, {10'000'000, 10'000'010}};
  EXPECT_THROW(run.start().run_out(), StuckError);
  EXPECT_EQ(run.simulation->statistics().counters.generated, 2U);
}

TEST_F(RunLoopTest, ARunWithoutEventsLeftSaysSoAndStandsBehindItsLastTick) {
  Setting run(config());
  run.traffic(10, 30, 100);
  RunLoop& loop = run.start();
  EXPECT_FALSE(loop.run_to(5000));
  EXPECT_EQ(loop.now_cycles(), 121U);  // born at 90, delivered at 120
  EXPECT_EQ(loop.completion_cycles(), 121U);
  loop.finish("workload-complete", 121);
  EXPECT_EQ(run.context.result.packets_delivered, 10U);
  EXPECT_EQ(run.simulation->drained_checks, 1U);
}

TEST_F(RunLoopTest, PacketsUnderWayWithoutAnEventAreADeadlock) {
  Setting run(config());
  run.simulation->script = {{10, {}}, {20, 50}};
  try {
    run.start().run_out();
    FAIL() << "a packet was forgotten";
  } catch (const StuckError& error) {
    EXPECT_TRUE(contains(error.what(), "(no event is left)"));
  }
}

TEST_F(RunLoopTest, WhatTheLoopCostsComesFromItsClock) {
  Setting run(config());
  run.traffic(10, 30, 10'000);
  run.simulation->seconds_per_tick = 1e-3;
  run.context.started_s = run.clock.now_s;
  run.clock.now_s += 5;  // set-up
  RunLoop& loop = run.start();
  loop.run_to(4000);
  loop.finish("cycles", 4000);
  const EngineCounters& engine = run.context.result.engine;
  EXPECT_DOUBLE_EQ(engine.setup_s, 5);
  EXPECT_NEAR(engine.wall_s, 4, 1e-9);
  EXPECT_NEAR(engine.cpu_s.at(0), 2, 1e-9);
  EXPECT_EQ(engine.events, 400U + 397U);
}

/// A plan of short intervals.
constexpr const char* short_plan =
    "measure = {warmup_cycles = 500, interval_cycles = 1000, intervals = 3, max_warmup_cycles = 20500, "
    "tolerance_fraction = 0.02, batches = 4, batch_cycles = 500}\n";

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

/// Twenty groups of five intervals of 200 cycles at least.
constexpr const char* mser_plan =
    "measure = {method = \"mser\", interval_cycles = 200, batches = 10, precision_fraction = 0.02, max_cycles = "
    "40000}\n";

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

TEST_F(RunLoopTest, AnMserRunGoesOnFromACheckpointAsIfNothingHadBeen) {
  const auto finished = [](Setting& run) {
    run.loop->measure_steady_state();
    run.loop->finish("steady-state", run.loop->now_cycles());
    return run.context.result;
  };
  const auto traffic = [](Setting& run) {
    run.traffic(20, 30, 3000);
    run.traffic(10, 35, 60'000, 3000);
  };
  Setting whole(config(mser_plan));
  traffic(whole);
  whole.start();
  const RunResult a = finished(whole);
  for (const Tick signal : {100, 1500, 12'300}) {  // in the first interval, in a later group, in what is measured
    Setting first(config(mser_plan));
    first.context.checkpoint.path = checkpoint();
    traffic(first);
    first.simulation->seconds_per_tick = 0.25 / 256;
    first.simulation->signal_after = signal;
    RunLoop& loop = first.start();
    watch_stop_signals();
    EXPECT_THROW(loop.measure_steady_state(), Stopped);
    watch_stop_signals();
    Setting rest(config(mser_plan));
    rest.context.resume = checkpoint();
    rest.start();
    const RunResult b = finished(rest);
    EXPECT_EQ(b.digest, a.digest);
    EXPECT_EQ(b.cycles, a.cycles);
    EXPECT_EQ(b.intervals.size(), a.intervals.size());
    EXPECT_EQ(b.batches.back().delivered_packets, a.batches.back().delivered_packets);
    EXPECT_EQ(b.load_accepted, a.load_accepted);
    EXPECT_EQ(b.latency_mean, a.latency_mean);
    EXPECT_EQ(b.latency_max, a.latency_max);
    EXPECT_EQ(b.latency_network_mean, a.latency_network_mean);
    ASSERT_EQ(b.latency_histogram.size(), a.latency_histogram.size());
    EXPECT_EQ(b.latency_histogram[0].packets, a.latency_histogram[0].packets);
  }
}

TEST_F(RunLoopTest, ABurstBeginsTwoCyclesAfterTheLastPacketOfTheOneBefore) {
  Setting run(config("workload = {kind = \"burst\"}\n"));
  run.simulation->burst_packets = 5;
  run.simulation->burst_latency = 100;
  RunLoop& loop = run.start();
  loop.run_bursts(3);
  // The first ends at tick 0 + 4 + 100, so it takes the cycles 0 to 104.
  EXPECT_EQ(run.simulation->burst_begins, (std::vector<Tick>{0, 106, 212}));
  EXPECT_EQ(run.context.result.burst_cycles, (std::vector<double>{105, 105, 105}));
  loop.finish("workload-complete", loop.completion_cycles());
  EXPECT_EQ(run.context.result.cycles, 317U);
  EXPECT_EQ(run.context.result.packets_delivered, 15U);
}

TEST_F(RunLoopTest, LoadsAreOfCellsWherePacketsHaveAnyLength) {
  Setting run(config(std::string(short_plan) + "statistics = {series_cycles = 500}\n"));
  run.context.counts_cells = true;
  run.simulation->cells = 4;
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

TEST_F(RunLoopTest, ACheckpointHoldsRecordsAsLongAsTheStatesAreThen) {
  // Until tick 1000 there are 1 to 5 packets, at 2000 it is 20 of them, at 3000 none.
  for (const Tick at : {1000, 2000, 3000}) {
    const auto traffic = [](Setting& run) {
      run.traffic(10, 45, 1200);
      run.traffic(10, 900, 2000, 1800);
    };
    const std::string every = "checkpoint = {every_cycles = " + std::to_string(at) + "}\n";
    Setting whole(config(every)), first(config(every)), rest(config(every));
    for (Setting* run : {&whole, &first, &rest}) run->context.checkpoint.path = checkpoint();
    rest.context.resume = checkpoint();
    traffic(whole);
    traffic(first);
    whole.start().run_to(4000);
    first.start().run_to(at + 10);
    rest.start().run_to(4000);
    whole.loop->finish("cycles", 4000);
    rest.loop->finish("cycles", 4000);
    EXPECT_EQ(rest.context.result.digest, whole.context.result.digest) << at;
    EXPECT_EQ(rest.context.result.packets_delivered, 140U) << at;
  }
}

TEST_F(RunLoopTest, ARecordThatTheNetworkRefusesIsADamagedCheckpoint) {
  Setting first(config("checkpoint = {every_cycles = 1000}\n"));
  first.context.checkpoint.path = checkpoint();
  first.traffic(10, 45, 2000);
  first.start().run_to(1500);
  Setting rest(config());
  rest.context.resume = checkpoint();
  rest.simulation->refuses_records = true;
  try {
    rest.start();
    FAIL() << "took up the checkpoint";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "is not a usable checkpoint (entity 0 wants another record)"));
  }
}

TEST_F(RunLoopTest, CheckpointsAreWrittenWhenTheClockSaysSo) {
  Setting run(config("checkpoint = {every_seconds = 10}\n"));
  run.context.checkpoint.path = checkpoint();
  run.traffic(10, 30, 30'000);
  run.simulation->seconds_per_tick = 0.25 / 256;  // so that stretches stay as they are
  RunLoop& loop = run.start();
  loop.run_to(39 * 256);
  EXPECT_EQ(run.context.result.engine.checkpoints, 0U);
  loop.run_to(40 * 256);
  EXPECT_EQ(run.context.result.engine.checkpoints, 1U);
  EXPECT_EQ(CheckpointReader(checkpoint()).header().tick, 40U * 256U);
  loop.run_to(79 * 256);
  EXPECT_EQ(run.context.result.engine.checkpoints, 1U);
  loop.run_to(80 * 256);
  EXPECT_EQ(run.context.result.engine.checkpoints, 2U);
}

TEST_F(RunLoopTest, CheckpointsAreWrittenAtTheCyclesAskedForWhateverTheClockSays) {
  for (const double speed : speeds) {
    Setting run(config("checkpoint = {every_cycles = 1000}\n"));
    run.context.checkpoint.path = checkpoint();
    run.traffic(10, 30, 10'000);
    run.simulation->seconds_per_tick = speed;
    run.start().run_to(3500);
    EXPECT_EQ(run.context.result.engine.checkpoints, 3U) << speed;
    EXPECT_EQ(CheckpointReader(checkpoint()).header().tick, 3000U) << speed;
  }
}

TEST_F(RunLoopTest, ACheckpointThatCannotBeWrittenIsAWarning) {
  Setting run(config("checkpoint = {every_cycles = 1000}\n"));
  run.context.checkpoint.path = (directory_ / "nowhere" / "run.ckpt.h5").string();
  run.traffic(10, 30, 10'000);
  EXPECT_TRUE(run.start().run_to(1500));
  EXPECT_EQ(run.context.result.warnings.size(), 1U);
  EXPECT_EQ(run.context.result.engine.checkpoints, 0U);
}

TEST_F(RunLoopTest, ASignalStopsTheRunAfterAStretchAndTheRestGoesOnAsIfNothingHadBeen) {
  Setting whole(config(short_plan));
  whole.traffic(10, 35, 20'000);
  whole.start().measure_steady_state();
  whole.loop->finish("steady-state", whole.loop->now_cycles());

  Setting first(config(short_plan));
  first.context.checkpoint.path = checkpoint();
  first.traffic(10, 35, 20'000);
  first.simulation->seconds_per_tick = 0.25 / 256;  // stretches stay as they are
  first.simulation->signal_after = 700;             // in the first interval
  RunLoop& loop = first.start();
  watch_stop_signals();
  try {
    loop.measure_steady_state();
    FAIL() << "went on in spite of the signal";
  } catch (const Stopped& stopped) {
    EXPECT_TRUE(contains(stopped.what(), "as asked by a signal"));
  }
  EXPECT_EQ(loop.now_cycles(), 756U);
  watch_stop_signals();

  Setting rest(config(short_plan));
  rest.context.resume = checkpoint();
  RunLoop& second = rest.start();
  EXPECT_FALSE(rest.simulation->host_started);
  EXPECT_TRUE(rest.simulation->hosts_are_right);
  EXPECT_EQ(second.now_cycles(), loop.now_cycles());
  EXPECT_EQ(rest.context.result.resumed_cycles, loop.now_cycles());
  second.measure_steady_state();
  second.finish("steady-state", second.now_cycles());
  const RunResult &a = whole.context.result, &b = rest.context.result;
  EXPECT_EQ(b.digest, a.digest);
  EXPECT_EQ(b.cycles, a.cycles);
  EXPECT_EQ(b.packets_delivered, a.packets_delivered);
  ASSERT_EQ(b.intervals.size(), a.intervals.size());
  ASSERT_EQ(b.batches.size(), a.batches.size());
  EXPECT_EQ(b.batches.back().delivered_packets, a.batches.back().delivered_packets);
  EXPECT_EQ(b.latency_mean, a.latency_mean);
  EXPECT_EQ(b.latency_network_mean, a.latency_network_mean);
}

}  // namespace
}  // namespace weft::tools::testing
