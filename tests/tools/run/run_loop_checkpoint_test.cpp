// The run loop saves and resumes: checkpoints by the clock, at cycles asked for and at a signal.
#include "tests/tools/run/run_loop_setting.hpp"

namespace weft::tools::testing {
namespace {

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
    EXPECT_EQ(rest.context.result.counts.delivered, 140U) << at;
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
    FAIL() << "resumed the checkpoint";
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
  EXPECT_EQ(b.counts.delivered, a.counts.delivered);
  ASSERT_EQ(b.intervals.size(), a.intervals.size());
  ASSERT_EQ(b.batches.size(), a.batches.size());
  EXPECT_EQ(b.batches.back().delivered_packets, a.batches.back().delivered_packets);
  EXPECT_EQ(b.latency_mean, a.latency_mean);
  EXPECT_EQ(b.latency_network_mean, a.latency_network_mean);
}

}  // namespace
}  // namespace weft::tools::testing
