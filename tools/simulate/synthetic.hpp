// Runs with independent sources: steady state, a number of cycles, or bursts.
#pragma once

#include "tools/simulate/driver.hpp"
#include "tools/simulate/split.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {

/// Bursts one after the other: the next begins two cycles after the last packet of the one before was consumed (one cycle is
/// lost in between, as in INSEE's shot mode).
template <class Policy>
void run_bursts(Context& context, workloads::SyntheticHost& host, Driver<Policy, workloads::SyntheticHost>& driver) {
  const i64 bursts = context.config.integer("workload.bursts");
  const Tick cycle = context.router.cycle_ticks;
  RunStage& stage = driver.stage();  // step: bursts that are over; at: tick at which the one at hand began
  while (static_cast<i64>(stage.step) < bursts) {
    if (!stage.inside) host.start_burst(driver.net(), stage.at);
    stage.inside = true;
    driver.run_out();
    const Tick end = driver.completion_cycles();
    context.result.burst_cycles.push_back(static_cast<double>(end - stage.at / cycle));
    stage.at = std::max((end + 1) * cycle, driver.drained_tick() + cycle);
    stage.inside = false;
    ++stage.step;
  }
}

template <class Policy>
void run_synthetic(Context& context) {
  const Config& config = context.config;
  const workloads::PatternSpec pattern = pattern_spec(context);
  const std::string name = config.text("workload.pattern");
  workloads::SyntheticSpec spec;
  spec.nodes = pattern.nodes;
  spec.seed = context.router.seed;
  spec.bursts = config.text("workload.kind") == "burst";
  spec.burst_packets = static_cast<u32>(config.integer("workload.burst_packets"));
  const double load = spec.bursts ? 0 : config.real("workload.offered_load");
  spec.packets_per_cycle = load / context.router.packet_phits;
  workloads::SyntheticHost host(spec, workloads::make_pattern(name, pattern), name == "uniform");
  models::Layout layout = lay_out(context);
  Driver<Policy, workloads::SyntheticHost> driver(context, host, layout);
  context.result.load_offered = load;
  context.result.workload_name = name + (spec.bursts ? " bursts" : " traffic");
  if (!driver.resume()) host.start(driver.net());
  driver.begin_loop();
  if (spec.bursts) {
    run_bursts<Policy>(context, host, driver);
    driver.finish("workload-complete", driver.completion_cycles());
  } else if (context.stop == "cycles") {
    driver.run_to(context.stop_cycles);
    driver.finish("cycles", context.stop_cycles);
  } else {
    driver.measure_steady_state();
    driver.finish("steady-state", driver.now_cycles());
  }
}

}  // namespace weft::tools
