// One result of several runs: put together by hand, and of real runs.
#include "tools/run/collect/seeds.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "engine/base/error.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/result/json_summary.hpp"
#include "tools/run/simulate.hpp"

namespace weft::tools {
namespace {

/// A run with this seed and accepted load.
RunResult run_of(u64 seed, double load) {
  RunResult r = sample_result();
  r.seed = seed;
  r.load_accepted = load;
  r.latency_mean = 100 * load;
  r.digest[0] = static_cast<char>('0' + seed);
  r.warnings.clear();
  r.converged = true;
  return r;
}

TEST(Seeds, OneRunIsItsOwnResult) {
  EXPECT_EQ(to_json(result_of_seeds({run_of(1, 0.3)})), to_json(run_of(1, 0.3)));
  EXPECT_TRUE(result_of_seeds({run_of(1, 0.3)}).seeds.empty());
}

TEST(Seeds, FiguresAreMeansWithDeviationAndIntervalOverTheRuns) {
  const RunResult all = result_of_seeds({run_of(1, 0.2), run_of(2, 0.3), run_of(3, 0.4)});
  EXPECT_NEAR(all.load_accepted, 0.3, 1e-12);
  EXPECT_NEAR(all.load_accepted_stddev, 0.1, 1e-12);
  EXPECT_NEAR(all.load_accepted_ci95, 4.302652729911275 * 0.1 / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(all.latency_mean, 30, 1e-12);
  EXPECT_NEAR(all.seeds_latency.stddev, 10, 1e-12);
  EXPECT_EQ(all.seed, 1U);
  ASSERT_EQ(all.seeds.size(), 3U);
  EXPECT_EQ(all.seeds[2].seed, 3U);
  EXPECT_DOUBLE_EQ(all.seeds[2].load_accepted, 0.4);
}

TEST(Seeds, TimesOfJobsAreMeansAndCountsAreSums) {
  RunResult one = run_of(1, 0.3), two = run_of(2, 0.3), three = run_of(3, 0.3);
  one.jobs = {{.name = "a",
               .start_cycle = 0,
               .finish_cycle = 100,
               .repetitions = 1,
               .packets = 5,
               .latency_mean = 10,
               .latency_max = 50},
              {.name = "b", .start_cycle = 10}};
  two.jobs = three.jobs = one.jobs;
  two.jobs[0].finish_cycle = 130;
  two.jobs[0].latency_max = 70;
  three.jobs[0].finish_cycle = 160;
  three.jobs[1].finish_cycle = 90;  // elsewhere it was not over
  const RunResult all = result_of_seeds({one, two, three});
  ASSERT_EQ(all.jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(all.jobs[0].finish_cycle, 130);
  EXPECT_DOUBLE_EQ(all.jobs[0].latency_mean, 10);
  EXPECT_DOUBLE_EQ(all.jobs[0].latency_max, 70);
  EXPECT_EQ(all.jobs[0].packets, 15U);
  EXPECT_EQ(all.jobs[0].repetitions, 3U);
  EXPECT_DOUBLE_EQ(all.jobs[1].finish_cycle, 90);
  EXPECT_TRUE(std::isnan(all.jobs[1].latency_mean));
}

TEST(Seeds, EveryPercentileIsTheMeanOfThoseOfTheRuns) {
  RunResult one = run_of(1, 0.3), two = run_of(2, 0.3);
  double value = 100;
  for (const auto figure : {&RunResult::latency_p50, &RunResult::latency_p90, &RunResult::latency_p99,
                            &RunResult::latency_p999, &RunResult::latency_network_mean, &RunResult::latency_stddev,
                            &RunResult::distance_mean, &RunResult::load_injected, &RunResult::load_untaken_fraction}) {
    one.*figure = value;
    two.*figure = value + 10;
    value += 100;
  }
  const RunResult all = result_of_seeds({one, two});
  EXPECT_DOUBLE_EQ(all.latency_p50, 105);
  EXPECT_DOUBLE_EQ(all.latency_p90, 205);
  EXPECT_DOUBLE_EQ(all.latency_p99, 305);
  EXPECT_DOUBLE_EQ(all.latency_p999, 405);
  EXPECT_DOUBLE_EQ(all.latency_network_mean, 505);
  EXPECT_DOUBLE_EQ(all.latency_stddev, 605);
  EXPECT_DOUBLE_EQ(all.distance_mean, 705);
  EXPECT_DOUBLE_EQ(all.load_injected, 805);
  EXPECT_DOUBLE_EQ(all.load_untaken_fraction, 905);
}

TEST(Seeds, CountsAreSumsAndMaximaAreMaxima) {
  RunResult late = run_of(2, 0.3);
  late.cycles = 20'000;
  late.latency_max = 999;
  const RunResult all = result_of_seeds({run_of(1, 0.3), late});
  EXPECT_EQ(all.counts.injected, 2000U);
  EXPECT_EQ(all.counts.delivered, 1800U);
  EXPECT_EQ(all.engine.events, 72'000'000U);
  EXPECT_DOUBLE_EQ(all.engine.wall_s, 6.5);
  EXPECT_EQ(all.cycles, 20'000U);
  EXPECT_EQ(all.latency_max, 999);
}

TEST(Seeds, TheDigestCoversEveryRunAndItsSeed) {
  const std::string both = result_of_seeds({run_of(1, 0.3), run_of(2, 0.3)}).digest;
  EXPECT_EQ(both.size(), 32U);
  EXPECT_NE(both, run_of(1, 0.3).digest);
  RunResult other = run_of(2, 0.3);
  other.digest[31] = other.digest[31] == '0' ? '1' : '0';
  EXPECT_NE(result_of_seeds({run_of(1, 0.3), other}).digest, both);
  RunResult renamed = run_of(2, 0.3);
  renamed.seed = 7;
  EXPECT_NE(result_of_seeds({run_of(1, 0.3), renamed}).digest, both);
}

TEST(Seeds, OneThatDidNotConvergeIsEnoughAndItsWarningsNameIt) {
  RunResult bad = run_of(2, 0.3);
  bad.converged = false;
  bad.warnings = {"did not settle"};
  const RunResult all = result_of_seeds({run_of(1, 0.3), bad, run_of(3, 0.3)});
  EXPECT_FALSE(all.converged);
  EXPECT_EQ(all.warnings, (std::vector<std::string>{"seed 2: did not settle"}));
}

struct SeedsOfARun : testing::ConfigFile {
  [[nodiscard]] RunResult run(const std::vector<std::string>& overrides, const std::string& resume = "") const {
    const std::unique_ptr<engine::Transport> transport = engine::single_process();
    return simulate(load("topology = {kind = \"torus\", dims = [4, 4]}\nsimulation = {cycles = 500}\n", overrides),
                    *transport, nullptr, resume, {});
  }
};

TEST_F(SeedsOfARun, EachIsTheRunWithThatSeedAlone) {
  const RunResult both = run({"measure.seeds=2", "simulation.seed=5"});
  const RunResult five = run({"simulation.seed=5"}), six = run({"simulation.seed=6"});
  ASSERT_EQ(both.seeds.size(), 2U);
  EXPECT_EQ(both.seeds[0].digest, five.digest);
  EXPECT_EQ(both.seeds[1].digest, six.digest);
  EXPECT_EQ(both.seeds[1].load_accepted, six.load_accepted);
  EXPECT_EQ(both.counts.delivered, five.counts.delivered + six.counts.delivered);
  EXPECT_EQ(both.seed, 5U);
}

TEST_F(SeedsOfARun, GoOnFromNoCheckpoint) {
  try {
    (void)run({"measure.seeds=2"}, "old.ckpt.h5");
    FAIL() << "resumed a checkpoint of one run";
  } catch (const ConfigError& error) {
    EXPECT_TRUE(testing::contains(error.what(), "measure.seeds = 2 cannot go on from 'old.ckpt.h5'"));
  }
}

}  // namespace
}  // namespace weft::tools
