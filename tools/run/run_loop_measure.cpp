// The members of RunLoop that measure: steady states, their intervals and batches, and the figures of a time.
#include <algorithm>
#include <cmath>

#include "tools/run/collect/summarise.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/steady_state.hpp"

namespace weft::tools {

void RunLoop::measure_steady_state() {
  const MeasurePlan& plan = context_.measure;
  RunResult& result = context_.result;
  if (plan.mser) return measure_mser();
  if (stage_.step == 0) {
    run_to(plan.warmup_cycles);
    stage_.at = plan.warmup_cycles;
    stage_.step = 1;
  }
  if (stage_.step == 1) {
    while (!settled(result.intervals, plan) && stage_.at < plan.max_warmup_cycles)
      result.intervals.push_back(interval(plan.interval_cycles));
    begin_batches();
  }
  result.converged = settled(result.intervals, plan);
  if (!result.converged) {
    result.warnings.push_back(
        "the accepted load did not settle within measure.max_warmup_cycles; the batches were taken all the same");
  }
  measure_batches();
}

void RunLoop::begin_batches() {
  stage_.measured_before = totals();
  stage_.step = 2;
  simulation_.statistics().histogram = {};
  simulation_.statistics().latency_max = 0;
}

/// Measures the batches that are left.
void RunLoop::measure_batches() {
  const MeasurePlan& plan = context_.measure;
  RunResult& result = context_.result;
  while (result.batches.size() < plan.batches) result.batches.push_back(interval(plan.batch_cycles));
  judge_batches(result);
  const Tick cycles = plan.batches * plan.batch_cycles;
  summarise(totals(), stage_.measured_before, cycles, (stage_.at - cycles) * cycle_ticks());
}

/// Runs `length` cycles from the stage's cycle on and measures them.
IntervalRow RunLoop::interval(Tick length) {
  const Tick begin = stage_.at, end = begin + length;
  if (!stage_.inside) stage_.before = totals();
  stage_.inside = true;
  run_to(end);
  stage_.inside = false;
  stage_.at = end;
  const models::Counters c = totals() - stage_.before;
  const double node_cycles = static_cast<double>(context_.topology->nodes()) * static_cast<double>(end - begin);
  IntervalRow row;
  row.begin = begin;
  row.end = end;
  const LoadScale scale = load_scale(context_);
  row.injected_load = scale.injected(c) / node_cycles;
  row.accepted_load = scale.delivered(c) / node_cycles;
  row.latency_mean = c.delivered == 0 ? 0 : context_.cycles(c.latency) / static_cast<double>(c.delivered);
  row.delivered_packets = c.delivered;
  return row;
}

/// Loads, latency and distance over `cycles` cycles from tick `begin`, from the counts of the run now and then.
void RunLoop::summarise(const models::Counters& all, const models::Counters& before, Tick cycles, Tick begin) {
  Measured measured;
  measured.counts = all - before;
  measured.cycles = static_cast<double>(cycles);
  measured.time_in_network = all.time_in_network(now_) - before.time_in_network(begin);
  models::Statistics& mine = simulation_.statistics();
  const u64 highest[3] = {global_max(mine.latency_max), global_max(mine.distance_max), global_max(mine.last_reroute)};
  auto counts = mine.histogram.counts();
  context_.transport.sum(counts);
  measured.histogram = counts;
  measured.latency_max = highest[0];
  measured.distance_max = static_cast<u32>(highest[1]);
  measured.last_reroute = highest[2];
  add_rest_of_classes(context_.result, all);
  summarise_counts(context_.result, measured, load_scale(context_));
  const Tick end = begin + cycles * cycle_ticks();
  if (context_.generated_before) {
    const double wanted = static_cast<double>(generated_by_sources(end) - generated_by_sources(begin));
    context_.result.load_untaken_fraction =
        wanted == 0 ? 0 : std::max(0.0, 1 - static_cast<double>(measured.counts.generated) / wanted);
  } else if (const u64 lost = measured.counts.dropped_at_full_nic + measured.counts.dropped_at_head; lost != 0) {
    context_.result.load_untaken_fraction = static_cast<double>(lost) / static_cast<double>(measured.counts.generated);
  } else if (context_.sources != 0) {
    const double held = static_cast<double>(all.time_sources_held(end) - before.time_sources_held(begin));
    context_.result.load_untaken_fraction =
        held / (static_cast<double>(context_.sources) * static_cast<double>(end - begin));
  }
  RunResult& result = context_.result;
  if (!result.measured) return;
  if (std::isfinite(result.load_untaken_fraction)) {
    const double node_cycles = static_cast<double>(context_.topology->nodes()) * static_cast<double>(cycles);
    result.load_growth = load_scale(context_).in_flight_growth(measured.counts) / node_cycles;
  }
  judge_steadiness(result);
}

/// Packets of unbounded sources before a tick, on all ranks.
u64 RunLoop::generated_by_sources(Tick end) {
  u64 packets = context_.generated_before(end);
  context_.transport.sum({&packets, 1});
  return packets;
}

}  // namespace weft::tools
