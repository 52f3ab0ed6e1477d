// The run loop on a made-up network with a made-up clock: where it stops, and what it takes for a deadlock.
#include "tools/run/run_loop.hpp"

#include <csignal>
#include <sstream>

#include "engine/stop_look.hpp"
#include "tests/tools/run/run_loop_setting.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools::testing {
namespace {

/// Lengths of the stretches that a run was cut into.
std::vector<Tick> lengths(const std::vector<Tick>& stops) {
  std::vector<Tick> result;
  for (std::size_t k = 0; k < stops.size(); ++k) result.push_back(stops[k] - (k == 0 ? 0 : stops[k - 1]));
  return result;
}

TEST_F(RunLoopTest, StretchesGrowWhileTheyTakeNoTime) {
  Setting run(config());
  run.traffic(10, 30, 10'000);
  EXPECT_TRUE(run.start().run_to(256 + 512 + 1024 + 2048 + 100));
  EXPECT_EQ(lengths(run.simulation->stops), (std::vector<Tick>{256, 512, 1024, 2048, 100}));
}

TEST_F(RunLoopTest, ProgressHasLoadAndLatencyOfTheLastSeconds) {
  Setting run(config());
  run.traffic(10, 30, 10'000);
  std::ostringstream shown;
  Progress progress(Progress::Mode::automatic, shown, false, [&] { return run.clock.now_s; });
  progress.start("made up", 10'000, "cycles");
  run.context.progress = &progress;
  run.simulation->seconds_per_tick = 0.01;
  run.start().run_to(6400);
  // One packet of 16 phits each 10 cycles among 16 nodes, 30 ticks from generation to delivery: 13 in 128 cycles.
  EXPECT_NE(shown.str().find("load 0.102, latency 30 cycles, 599 packets delivered"), std::string::npos) << shown.str();
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

TEST_F(RunLoopTest, ThoseOfALargeNetworkDo) {
  Setting run(load("topology = {kind = \"torus\", dims = [512, 512]}\n"));
  run.traffic(10, 30, 1000);
  run.simulation->seconds_per_tick = 1;
  run.start().run_to(24);
  EXPECT_EQ(lengths(run.simulation->stops), (std::vector<Tick>{8, 8, 8}));
}

TEST_F(RunLoopTest, ASignalBeforeTheFirstEventStopsLoopsOfTheSetUp) {
  Setting run(config());
  watch_stop_signals();
  engine::set_stop_question(stop_signalled);
  EXPECT_NO_THROW(engine::look_for_stop());
  std::raise(SIGUSR1);
  EXPECT_NO_THROW(engine::look_for_stop(5)) << "only now and then";
  EXPECT_THROW(for (u64 node = 0; node < 10'000; ++node) engine::look_for_stop(node), engine::StoppedBefore);
  run.start();  // from here on there is something to save
  EXPECT_NO_THROW(engine::look_for_stop());
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
      EXPECT_TRUE(contains(error.what(), "at cycle 1051 with 1 packets in flight"));
      EXPECT_TRUE(contains(error.what(), "no packet was delivered for 1001 cycles"));
    }
    EXPECT_EQ(loop.now_cycles(), 1051U) << speed;
  }
}

TEST_F(RunLoopTest, TheWatchdogCountsFromTheGenerationOfTheOldestPacketIfThatCameLater) {
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
constexpr const char* closed_early = "congestion = {kind = \"gcc\", gcc_packets = 1, gcc_period_cycles = 10}\n";

TEST_F(RunLoopTest, ARunIsNotOverWhileCongestionControlHoldsPacketsBack) {
  for (const double speed : speeds) {
    Setting run(config(closed_early));
    run.traffic(1, 100, 50);
    run.simulation->seconds_per_tick = speed;
    RunLoop& loop = run.start();
    loop.run_out();
    loop.finish("workload-complete", loop.completion_cycles());
    EXPECT_EQ(run.context.result.counts.delivered, 50U) << speed;
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
    EXPECT_EQ(run.context.result.counts.delivered, 100U) << speed;
    if (begins.empty()) begins = run.simulation->burst_begins;
    EXPECT_EQ(run.simulation->burst_begins, begins) << speed;
  }
}

TEST_F(RunLoopTest, PacketsAreNotCountedWhileNothingHappens) {
  Setting run(config("congestion = {kind = \"gcc\", gcc_packets = 5, gcc_period_cycles = 1}\n"));
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
  EXPECT_EQ(loop.now_cycles(), 121U);  // generated at 90, delivered at 120
  EXPECT_EQ(loop.completion_cycles(), 121U);
  loop.finish("workload-complete", 121);
  EXPECT_EQ(run.context.result.counts.delivered, 10U);
  EXPECT_EQ(run.simulation->drained_checks, 1U);
}

TEST_F(RunLoopTest, PacketsInFlightWithoutAnEventAreADeadlock) {
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
  EXPECT_EQ(run.context.result.counts.delivered, 15U);
}

}  // namespace
}  // namespace weft::tools::testing
