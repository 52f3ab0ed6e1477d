// Sources whose NIC is full: those that stand still, and those that go on generating.
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <utility>

#include "engine/base/error.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/report/terminal_summary.hpp"
#include "tools/result/json_summary.hpp"
#include "tools/run/simulate.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct SourceQueues : testing::ConfigFile {
  /// Networks of 16 nodes or so, one for each machine.
  const std::vector<std::string> machines_ = {
      "topology = {kind = \"torus\", dims = [4, 4]}\n",
      "topology = {kind = \"torus\", dims = [4, 4]}\nrouter = {kind = \"dally\"}\n",
      "topology = {kind = \"torus\", dims = [4, 4]}\nrouter = {kind = \"switch\", buffer_cells = 24}\n",
      "topology = {kind = \"torus\", dims = [3, 3, 2]}\n",
      "topology = {kind = \"thin-tree\", down = 4, up = 1, levels = 2}\n",
      "topology = {kind = \"thin-tree\", down = 4, up = 1, levels = 2}\nrouter = {kind = \"wormhole\"}\n",
      "topology = {kind = \"spinnaker\", dims = [4, 4]}\nrouter = {kind = \"spinnaker\", virtual_channels = 1}\n"};

  [[nodiscard]] RunResult run(const std::string& text, const std::vector<std::string>& overrides) const {
    const std::unique_ptr<engine::Transport> transport = engine::single_process();
    return simulate(load(text, overrides), *transport, nullptr, "", {});
  }
  [[nodiscard]] RunResult run(const std::string& text, const std::string& load, const std::string& queue,
                              const std::string& cycles) const {
    return run(text,
               {"workload.offered_load=" + load, "workload.source_queue=" + queue, "simulation.cycles=" + cycles});
  }
};

TEST_F(SourceQueues, ThatAreUnboundedGenerateWhateverTheNetworkTakes) {
  for (const std::string& machine : machines_) {
    const RunResult slow = run(machine + "[link]\nlatency_cycles = 1\n", "1.0", "unbounded", "3000");
    const RunResult slower = run(machine + "[link]\nlatency_cycles = 9\n", "1.0", "unbounded", "3000");
    const u64 generated = slow.counts.generated + slow.packets_at_sources;
    EXPECT_EQ(generated, slower.counts.generated + slower.packets_at_sources) << machine;
    EXPECT_NEAR(static_cast<double>(generated), static_cast<double>(slow.nodes) * 3000 / 16, 0.1 * 3000) << machine;
  }
}

TEST_F(SourceQueues, BelowSaturationAreAllTheSame) {
  for (const std::string& machine : machines_) {
    const RunResult bounded = run(machine, "0.05", "bounded", "4000");
    const RunResult unbounded = run(machine, "0.05", "unbounded", "4000");
    EXPECT_EQ(bounded.digest, unbounded.digest) << machine;
    EXPECT_EQ(bounded.counts.generated, unbounded.counts.generated) << machine;
    EXPECT_EQ(unbounded.packets_at_sources, 0U) << machine;
    EXPECT_FALSE(bounded.saturated()) << machine;
    EXPECT_FALSE(unbounded.saturated()) << machine;
    EXPECT_EQ(bounded.load_untaken_fraction, 0) << machine;
  }
}

TEST_F(SourceQueues, BeyondSaturationLatencyGrowsWithTheRunUnlessSourcesStandStill) {
  for (const std::string& machine : {machines_[0], machines_[2], machines_[4]}) {
    const double bounded =
        run(machine, "1.0", "bounded", "12000").latency_mean / run(machine, "1.0", "bounded", "4000").latency_mean;
    const double unbounded =
        run(machine, "1.0", "unbounded", "12000").latency_mean / run(machine, "1.0", "unbounded", "4000").latency_mean;
    EXPECT_LT(bounded, 1.5) << machine;
    EXPECT_GT(unbounded, 2.0) << machine;
  }
}

TEST_F(SourceQueues, WhatIsNotTakenIsMeasuredAlikeBothWays) {
  const std::string tree = machines_[4];  // 4 nodes share a link up
  const RunResult bounded = run(tree, "1.0", "bounded", "20000"), unbounded = run(tree, "1.0", "unbounded", "20000");
  EXPECT_NEAR(bounded.load_untaken_fraction, 1 - bounded.load_injected, 0.03);
  EXPECT_NEAR(unbounded.load_untaken_fraction, 1 - unbounded.load_injected, 0.03);
  EXPECT_NEAR(bounded.load_untaken_fraction, unbounded.load_untaken_fraction, 0.05);
}

TEST_F(SourceQueues, SaturationIsSaidWithTheCyclesOfTheFigures) {
  const std::string tree = machines_[4];
  const RunResult run_of_cycles = run(tree, "1.0", "bounded", "4000");
  const std::string text = summary(run_of_cycles, false);
  EXPECT_TRUE(contains(text, "saturated   sources stood still for"));
  EXPECT_TRUE(contains(text, "figures are of cycles 0 to 4,000"));
  const nlohmann::json json = to_json(run_of_cycles);
  EXPECT_EQ(json["saturated"], true);
  EXPECT_EQ(json["figures_of_cycles"], (nlohmann::json{0, 4000}));
  const RunResult steady =
      run(tree, {"workload.offered_load=1.0", "workload.source_queue=unbounded", "measure.warmup_cycles=500",
                 "measure.intervals=1", "measure.batches=3", "measure.batch_cycles=400"});
  const auto [from, to] = steady.figures_of();
  EXPECT_EQ(to - from, 1200U);
  EXPECT_TRUE(contains(summary(steady, false), "stayed at the sources"));
  EXPECT_GT(to_json(steady)["packets"]["at_sources"], 0);
  EXPECT_EQ(to_json(run(tree, "0.05", "bounded", "2000"))["saturated"], false);
}

TEST_F(SourceQueues, OfOtherWorkloadsAreNotJudged) {
  const RunResult burst = run(machines_[0], {"workload.kind=burst", "workload.burst_packets=50"});
  EXPECT_TRUE(std::isnan(burst.load_untaken_fraction));
  EXPECT_FALSE(burst.saturated());
  EXPECT_EQ(to_json(burst)["saturated"], nullptr);
}

TEST_F(SourceQueues, FillTheNicAndTheInjectionQueueOfTheRouterBeforeSourcesStandStill) {
  const std::string tree = machines_[4];  // 4 nodes share a link up
  for (const auto& [router, nic] : {std::pair{4U, 8U}, std::pair{2U, 3U}}) {
    const RunResult full = run(
        tree, {"workload.offered_load=1.0", "simulation.cycles=4000", "router.queue_packets=" + std::to_string(router),
               "router.injection_queue_packets=" + std::to_string(nic)});
    // A packet counts as injected from its first phit on, and keeps its place until its last.
    const u64 waiting = full.counts.generated - full.counts.injected;
    EXPECT_LE(waiting, full.nodes * u64{router + nic});
    EXPECT_GE(waiting, full.nodes * u64{router + nic - 1});
  }
}

TEST_F(SourceQueues, GoOnFromACheckpointWithWhatWaits) {
  const std::string checkpoint = (directory_ / "run.ckpt.h5").string();
  const std::vector<std::vector<std::string>> sources = {{"workload.kind=synthetic", "workload.source_queue=bounded"},
                                                         {"workload.kind=synthetic", "workload.source_queue=unbounded"},
                                                         {"workload.kind=reactive", "workload.trigger_fraction=0.9"}};
  for (const std::string& machine : machines_) {
    for (std::vector<std::string> keys : sources) {
      keys.insert(keys.end(), {"workload.offered_load=0.9", "simulation.cycles=2500", "checkpoint.every_cycles=1500"});
      const Config config = load(machine, keys);
      const std::unique_ptr<engine::Transport> transport = engine::single_process();
      const RunResult whole = simulate(config, *transport, nullptr, {}, {.path = checkpoint, .refused = {}});
      const RunResult rest = simulate(config, *transport, nullptr, checkpoint);
      EXPECT_EQ(rest.resumed_cycles, 1500U) << machine << keys[0];
      EXPECT_EQ(rest.digest, whole.digest) << machine << keys[0];
      EXPECT_EQ(rest.counts.generated, whole.counts.generated) << machine << keys[0];
      EXPECT_EQ(rest.packets_at_sources, whole.packets_at_sources) << machine << keys[0];
    }
  }
}

}  // namespace
}  // namespace weft::tools
