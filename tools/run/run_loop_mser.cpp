// The members of RunLoop that let a run find its own warm-up and its own length: groups of intervals until the series
// of accepted loads and latencies says that it is enough (mser.hpp).
#include <algorithm>
#include <fmt/format.h>

#include "tools/run/mser.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/steady_state.hpp"

namespace weft::tools {

void RunLoop::measure_mser() {
  const MeasurePlan& plan = context_.measure;
  RunResult& result = context_.result;
  const u64 most = plan.max_cycles / (plan.interval_cycles * mser_group);
  SteadyWindow window;
  for (u64 judged = 0; judged < most;) {
    judged = std::min(next_judgement(judged, plan.batches), most);
    while (result.intervals.size() < judged * mser_group) measure_group();
    // A run that goes on from a checkpoint judges once more what was judged before, with the same outcome.
    window = steady_window(std::span(result.intervals).first(judged * mser_group), plan.batches,
                           plan.precision_fraction, plan.confidence_percent);
    if (window.converged()) break;
  }
  result.batches = window.batches;
  result.converged = window.converged();
  if (!window.truncated_in_first_half) {
    result.warnings.push_back(fmt::format(
        "the network did not settle within measure.max_cycles = {} (MSER-5 would leave out more than half of the run); "
        "the second half was measured all the same",
        plan.max_cycles));
  } else if (!window.precise) {
    result.warnings.push_back(
        fmt::format("measure.max_cycles = {} were over before the confidence intervals were within "
                    "measure.precision_fraction = {}",
                    plan.max_cycles, plan.precision_fraction));
  }
  judge_batches(result);
  summarise_groups(window.first);
}

/// Runs the intervals of a group that are left.
void RunLoop::measure_group() {
  std::vector<IntervalRow>& rows = context_.result.intervals;
  models::Statistics& mine = simulation_.statistics();
  if (rows.size() % mser_group == 0 && !stage_.inside) {
    groups_.push_back({totals().words(), {}, 0});
    mine.histogram = {};
    mine.latency_max = 0;
  }
  do {
    rows.push_back(interval(context_.measure.interval_cycles));
  } while (rows.size() % mser_group != 0);
  GroupCounts& group = groups_.back();
  group.histogram = mine.histogram.counts();
  context_.transport.sum(group.histogram);
  group.latency_max = global_max(mine.latency_max);
}

/// The figures of the run from group `first` on.
void RunLoop::summarise_groups(u64 first) {
  models::Statistics& mine = simulation_.statistics();
  mine.histogram = {};
  mine.latency_max = 0;
  for (u64 k = first; k < groups_.size(); ++k) {
    mine.latency_max = std::max(mine.latency_max, groups_[k].latency_max);
    // What is summed over the ranks stands on one of them.
    if (context_.transport.rank() != 0) continue;
    for (u32 bin = 0; bin < models::LatencyHistogram::bins; ++bin)
      mine.histogram.counts()[bin] += groups_[k].histogram[bin];
  }
  const Tick begin = context_.result.batches.front().begin, end = stage_.at;
  summarise(totals(), models::Counters::from(groups_[first].before), end - begin, begin * cycle_ticks());
}

void RunLoop::put_groups(engine::ByteWriter& to) { to.put_list(groups_); }
void RunLoop::get_groups(engine::ByteReader& from) { from.get_list(groups_); }

}  // namespace weft::tools
