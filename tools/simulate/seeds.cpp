// Figures of several runs as one; see the header.
#include "tools/simulate/seeds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "engine/digest.hpp"
#include "engine/error.hpp"
#include "tools/result/route_columns.hpp"
#include "tools/stats/confidence.hpp"
#include "tools/stats/deviation.hpp"

namespace weft::tools {
namespace {

SeedRow row_of(const RunResult& r) {
  SeedRow row;
  row.seed = r.seed;
  row.digest = r.digest;
  row.cycles = r.cycles;
  row.converged = r.converged;
  row.packets_delivered = r.packets_delivered;
  row.load_injected = r.load_injected;
  row.load_accepted = r.load_accepted;
  row.load_accepted_ci95 = r.load_accepted_ci95;
  row.latency_mean = r.latency_mean;
  row.latency_mean_ci95 = r.latency_mean_ci95;
  row.latency_p99 = r.latency_p99;
  row.distance_mean = r.distance_mean;
  return row;
}

u64 from_hex(const std::string& digits) {
  u64 value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  WEFT_ASSERT(read.ec == std::errc() && read.ptr == digits.data() + digits.size());
  return value;
}

std::string digest_of(const std::vector<SeedRow>& rows) {
  engine::Digest all;
  for (const SeedRow& row : rows) {
    WEFT_ASSERT(row.digest.size() == 32);
    all.add(row.seed, from_hex(row.digest.substr(0, 16)), from_hex(row.digest.substr(16)));
  }
  return all.hex();
}

template <class Value>
Spread spread_of(const std::vector<SeedRow>& rows, Value SeedRow::*figure) {
  std::vector<double> values;
  for (const SeedRow& row : rows) values.push_back(static_cast<double>(row.*figure));
  return {stats::mean_of(values), stats::deviation_of(values), stats::half_width95(values)};
}

template <class Value>
void add(std::vector<Value>& to, const std::vector<Value>& more) {
  for (std::size_t k = 0; k < std::min(to.size(), more.size()); ++k) to[k] += more[k];
}

void add_engine(EngineCounters& to, const EngineCounters& more) {
  for (const auto count :
       {&EngineCounters::events, &EngineCounters::packet_hops, &EngineCounters::windows, &EngineCounters::exchanges,
        &EngineCounters::remote_messages, &EngineCounters::null_messages})
    to.*count += more.*count;
  to.wall_s += more.wall_s;
  to.setup_s += more.setup_s;
  add(to.cpu_s, more.cpu_s);
  add(to.blocked_s, more.blocked_s);
  add(to.exchange_s, more.exchange_s);
  add(to.rank_events, more.rank_events);
  for (std::size_t k = 0; k < std::min(to.rss_bytes.size(), more.rss_bytes.size()); ++k)
    to.rss_bytes[k] = std::max(to.rss_bytes[k], more.rss_bytes[k]);
  to.bytes_per_node = std::max(to.bytes_per_node, more.bytes_per_node);
}

void add_counts(RunResult& to, const RunResult& more) {
  for (const auto count : {&RunResult::packets_generated, &RunResult::packets_injected, &RunResult::packets_delivered,
                           &RunResult::packets_dropped, &RunResult::packets_dropped_at_source,
                           &RunResult::packets_copied, &RunResult::packets_combined, &RunResult::packets_marked,
                           &RunResult::notifications, &RunResult::packets_in_flight, &RunResult::messages_sent,
                           &RunResult::messages_delivered, &RunResult::packets_at_sources, &RunResult::hops})
    to.*count += more.*count;
  for_each_route_count(
      [&](const char* /*name*/, auto count, const char* /*unit*/) { to.routes.*count += more.routes.*count; });
  for (std::size_t c = 0; c < to.classes.size(); ++c) {
    for (const auto count : {&ClassRow::generated_packets, &ClassRow::injected_packets, &ClassRow::delivered_packets})
      to.classes[c].*count += more.classes[c].*count;
  }
  to.cycles = std::max(to.cycles, more.cycles);
  to.latency_max = std::max(to.latency_max, more.latency_max);
  to.distance_max = std::max(to.distance_max, more.distance_max);
  to.converged = to.converged && more.converged;
  to.falls_behind = to.falls_behind || more.falls_behind;
  for (const std::string& warning : more.warnings)
    to.warnings.push_back(fmt::format("seed {}: {}", more.seed, warning));
  add_engine(to.engine, more.engine);
}

/// Mean of a figure of job `j` over the runs in which it has one; NaN if there is none.
double mean_of_job(const std::vector<RunResult>& runs, std::size_t j, double JobRow::*figure) {
  std::vector<double> values;
  for (const RunResult& run : runs) {
    if (!std::isnan(run.jobs[j].*figure)) values.push_back(run.jobs[j].*figure);
  }
  return values.empty() ? no_figure : stats::mean_of(values);
}

/// Times are means, counts sums.
void merge_jobs(std::vector<JobRow>& jobs, const std::vector<RunResult>& runs) {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    JobRow& job = jobs[j];
    for (const auto figure : {&JobRow::start_cycle, &JobRow::finish_cycle, &JobRow::latency_mean, &JobRow::slowdown})
      job.*figure = mean_of_job(runs, j, figure);
    for (std::size_t k = 1; k < runs.size(); ++k) {
      const JobRow& more = runs[k].jobs[j];
      for (const auto count : {&JobRow::repetitions, &JobRow::packets_generated, &JobRow::packets,
                               &JobRow::packets_dropped, &JobRow::messages_sent, &JobRow::messages, &JobRow::bytes})
        job.*count += more.*count;
      job.latency_max = std::fmax(job.latency_max, more.latency_max);
    }
  }
}

}  // namespace

void drop_lists(RunResult& run) {
  run.intervals = run.batches = {};
  run.latency_histogram = {};
  run.node_injected = run.node_delivered = run.node_injected_cells = run.node_delivered_cells = {};
  run.task_finish_cycles = run.burst_cycles = {};
  run.extra = {};
}

RunResult result_of_seeds(std::vector<RunResult> runs) {
  WEFT_ASSERT(!runs.empty());
  RunResult all = runs.front();
  if (runs.size() == 1) return all;
  for (std::string& warning : all.warnings) warning = fmt::format("seed {}: {}", all.seed, warning);
  for (const RunResult& run : runs) all.seeds.push_back(row_of(run));
  for (std::size_t k = 1; k < runs.size(); ++k) add_counts(all, runs[k]);
  merge_jobs(all.jobs, runs);
  for (const auto figure :
       {&RunResult::load_injected, &RunResult::load_untaken_fraction, &RunResult::load_growth,
        &RunResult::latency_stddev, &RunResult::latency_p50, &RunResult::latency_p90, &RunResult::latency_p99,
        &RunResult::latency_p999, &RunResult::latency_network_mean, &RunResult::distance_mean}) {
    std::vector<double> values;
    for (const RunResult& run : runs) values.push_back(run.*figure);
    all.*figure = stats::mean_of(values);
  }
  for (std::size_t c = 0; c < all.classes.size(); ++c) {
    for (const auto figure : {&ClassRow::accepted_load, &ClassRow::latency_mean}) {
      std::vector<double> values;
      for (const RunResult& run : runs) values.push_back(run.classes[c].*figure);
      all.classes[c].*figure = stats::mean_of(values);
    }
  }
  for (const auto figure : {&ExchangeBandwidth::mean, &ExchangeBandwidth::stddev}) {
    std::vector<double> values;
    for (const RunResult& run : runs) values.push_back(run.exchange.*figure);
    all.exchange.*figure = stats::mean_of(values);
  }
  for (const RunResult& run : runs) {
    all.exchange.min = std::min(all.exchange.min, run.exchange.min);
    all.exchange.max = std::max(all.exchange.max, run.exchange.max);
  }
  all.seeds_load = spread_of(all.seeds, &SeedRow::load_accepted);
  all.seeds_latency = spread_of(all.seeds, &SeedRow::latency_mean);
  all.seeds_cycles = spread_of(all.seeds, &SeedRow::cycles);
  all.load_accepted = all.seeds_load.mean;
  all.load_accepted_stddev = all.seeds_load.stddev;
  all.load_accepted_ci95 = all.seeds_load.ci95;
  all.latency_mean = all.seeds_latency.mean;
  all.latency_mean_ci95 = all.seeds_latency.ci95;
  all.load_autocorrelation = all.latency_autocorrelation = no_figure;  // seeds are independent
  all.digest = digest_of(all.seeds);
  return all;
}

}  // namespace weft::tools
