// A run of the loop on a made-up network, as its tests set it up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/tools/run/config/config_file.hpp"
#include "tests/tools/run/fake_simulation.hpp"
#include "tools/run/checkpoint/stop_signal.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/setup/split.hpp"

namespace weft::tools::testing {

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

/// Seconds per tick: a run must not depend on them.
constexpr double speeds[] = {0, 1e-5, 1e-4, 1e-3, 1e-2};

/// A plan of short intervals.
constexpr const char* short_plan =
    "measure = {warmup_cycles = 500, interval_cycles = 1000, intervals = 3, max_warmup_cycles = 20500, "
    "tolerance_fraction = 0.02, batches = 4, batch_cycles = 500}\n";

/// Twenty groups of five intervals of 200 cycles at least.
constexpr const char* mser_plan =
    "measure = {method = \"mser\", interval_cycles = 200, batches = 10, precision_fraction = 0.02, max_cycles = "
    "40000}\n";

}  // namespace weft::tools::testing
