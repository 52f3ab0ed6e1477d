// What a run found, in about 25 lines for the person who started it.
#include "tools/report/terminal_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/deviation.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/report/histogram.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t most_jobs = 16;  ///< of which all is shown

constexpr u32 spark_columns = 48;
constexpr std::size_t most_warnings = 8;

/// Bars of one character each, scaled between `low` and the largest value; what is above `low` is always visible.
std::string sparkline(const std::vector<double>& values, double low) {
  constexpr std::array<const char*, 9> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double high = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string text;
  for (const double value : values) {
    const double fraction = high > low ? (value - low) / (high - low) : 0;
    const int level = value > low ? std::clamp(static_cast<int>(fraction * 8 + 0.5), 1, 8) : 0;
    text += blocks[static_cast<std::size_t>(level)];
  }
  return text;
}

/// Collects "label   text" lines.
class Lines {
 public:
  explicit Lines(bool colour) : colour_(colour) {}
  void add(const std::string& label, const std::string& text) {
    std::string padded = label;
    padded.resize(12, ' ');
    text_ += paint("\x1b[36m", padded) + text + "\n";
  }
  void title(const std::string& text) { text_ += paint("\x1b[1m", text) + "\n"; }
  void warn(const std::string& text) { text_ += paint("\x1b[33m", "warning") + "     " + text + "\n"; }
  [[nodiscard]] std::string strong(const std::string& text) const { return paint("\x1b[1m", text); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  [[nodiscard]] std::string paint(const std::string& code, const std::string& text) const {
    return colour_ && !text.empty() ? code + text + "\x1b[0m" : text;
  }
  bool colour_;
  std::string text_;
};

/// Times of a run: nanoseconds where a cycle has a length.
class Clock {
 public:
  explicit Clock(const RunResult& r) : ns_(r.cycle_ns) {}
  [[nodiscard]] const char* unit() const { return ns_ > 0 ? "ns" : "cycles"; }
  /// So many significant digits, in thousands whole.
  [[nodiscard]] std::string text(double cycles, int digits = 4) const {
    constexpr double most = 1e15;
    const double value = ns_ > 0 ? cycles * ns_ : cycles;
    return value >= 1000 && value < most ? grouped(static_cast<u64>(std::llround(value))) : significant(value, digits);
  }
  /// Half of a confidence interval.
  [[nodiscard]] std::string interval(double cycles) const { return plus_minus(ns_ > 0 ? cycles * ns_ : cycles); }

 private:
  double ns_;
};

std::string rate(u64 count, double seconds) {
  return seconds > 0 ? with_prefix(static_cast<double>(count) / seconds) : "n/a";
}

void add_subject(Lines& lines, const RunResult& r) {
  lines.title(fmt::format("weft {}, {}, {}", r.version, r.host, r.started_at));
  lines.add("network", fmt::format("{}, {} nodes, {} routers, router {}", r.topology_name, grouped(r.nodes),
                                   grouped(r.routers), r.router_name));
  // What was asked for, or was done, needs no line.
  if (r.deadlock_search.starts_with("not all") || r.deadlock_search.find("too large") != std::string::npos)
    lines.add("deadlock", r.deadlock_search);
  lines.add("workload", fmt::format("{}, seed {}", r.workload_name, r.seed));
  std::string simulated = grouped(r.cycles) + " cycles";
  if (r.cycle_ns > 0) simulated += fmt::format(" ({} ns)", Clock(r).text(static_cast<double>(r.cycles)));
  lines.add("simulated", fmt::format("{}, stopped by {}", simulated, r.stop_reason));
}

void add_latency(Lines& lines, const RunResult& r) {
  if (r.counts.delivered == 0) return lines.add("latency", "no packet was delivered");
  const Clock clock(r);
  lines.add("latency", fmt::format("mean {}{}   deviation {}   p50 {}   p99 {}   max {}   {} from generation",
                                   lines.strong(clock.text(r.latency_mean)), clock.interval(r.latency_interval()),
                                   clock.text(r.latency_stddev, 3), clock.text(r.latency_p50),
                                   clock.text(r.latency_p99), clock.text(r.latency_max), clock.unit()));
  // By Little's law, so that it is not of the packets that the mean from generation is of.
  const char* const of_others =
      r.latency_network_mean > r.latency_mean ? ", of all that were in the network, not only of those delivered" : "";
  lines.add("",
            fmt::format("mean {} {} from injection{}", clock.text(r.latency_network_mean), clock.unit(), of_others));
  const HistogramRange range = occupied_range(r.latency_histogram);
  if (range.high > 0) {
    const std::vector<double> columns = rebin_log(r.latency_histogram, range.low, range.high, spark_columns);
    lines.add("", fmt::format("{} ▕{}▏ {} {}, log scale", clock.text(range.low, 3), sparkline(columns, 0),
                              clock.text(range.high, 3), clock.unit()));
  }
  lines.add("distance",
            fmt::format("mean {}   max {}   links", significant(r.distance_mean), significant(r.distance_max)));
}

void add_classes(Lines& lines, const RunResult& r) {
  const Clock clock(r);
  for (const ClassRow& row : r.classes) {
    lines.add(fmt::format("class {}", row.traffic_class),
              fmt::format("accepted {}   mean {} {}   {} generated, {} delivered", significant(row.accepted_load),
                          clock.text(row.latency_mean), clock.unit(), grouped(row.generated_packets),
                          grouped(row.delivered_packets)));
  }
}

void add_batches(Lines& lines, const RunResult& r) {
  const std::vector<IntervalRow>& rows = r.measured ? r.batches : r.intervals;
  if (rows.size() < 2) return;
  // At most a line of bars: neighbouring rows are averaged.
  const std::size_t columns = std::min<std::size_t>(rows.size(), spark_columns);
  std::vector<double> loads(columns, 0.0);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t from = column * rows.size() / columns;
    const std::size_t to = (column + 1) * rows.size() / columns;
    for (std::size_t row = from; row < to; ++row) loads[column] += rows[row].accepted_load;
    loads[column] /= static_cast<double>(to - from);
  }
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  lines.add(r.measured ? "batches" : "intervals", fmt::format("▕{}▏ {}, accepted load {} to {}", sparkline(loads, 0),
                                                              rows.size(), significant(*least), significant(*most)));
}

/// What is to be known of figures beyond saturation.
void add_saturation(Lines& lines, const RunResult& r) {
  if (!r.saturated()) return;
  const auto [from, to] = r.figures_of();
  const std::string share = significant(100 * r.load_untaken_fraction, 2);
  if (r.falls_behind) {
    lines.add("saturated",
              fmt::format("buffers fill: packets in flight grew by {} phits/node/cycle while it was measured, "
                          "latency with them",
                          significant(r.load_growth)));
  }
  lines.add(r.falls_behind ? "" : "saturated",
            r.unbounded_sources
                ? fmt::format("{} % of what was offered stayed at the sources, {} packets by the end: latency grows "
                              "with the run",
                              share, grouped(r.packets_at_sources))
                : fmt::format("sources stood still for {} % of the time, their NICs full: latency is bounded by that",
                              share));
  lines.add("", fmt::format("figures are of cycles {} to {}{}", grouped(from), grouped(to),
                            r.seeds.empty() ? "" : ", of the first seed"));
}

void add_load(Lines& lines, const RunResult& r) {
  std::string where = !r.seeds.empty() ? fmt::format("means over {} seeds", r.seeds.size())
                      : r.measured     ? fmt::format("over {} batches", r.batches.size())
                                       : "over the whole run";
  const std::string interval = plus_minus(r.load_interval());
  if (!interval.empty()) where += fmt::format("; ± is {} % confidence", r.confidence_percent);
  // Tasks offer nothing: they send when they are that far.
  const std::string offered = r.load_offered > 0 ? fmt::format("offered {}   ", significant(r.load_offered)) : "";
  lines.add("load",
            fmt::format("{}injected {}   accepted {}{}   phits/node/cycle, {}", offered, significant(r.load_injected),
                        lines.strong(significant(r.load_accepted)), interval, where));
  add_batches(lines, r);
  add_saturation(lines, r);
}

void add_completion(Lines& lines, const RunResult& r) {
  const Clock clock(r);
  if (const TaskTimes times = r.task_times(); times.finished > 0) {
    const std::size_t all = r.task_finish_cycles.size();
    lines.add("tasks", fmt::format("{}{} finished, first at {}, last at {} {}", grouped(times.finished),
                                   times.finished < all ? " of " + grouped(all) : "", clock.text(times.first),
                                   lines.strong(clock.text(times.last)), clock.unit()));
  }
  if (const workloads::MappingCost& m = r.mapping; m.bytes > 0) {
    lines.add("mapping", fmt::format("{} hops a byte   consecutive {}   no placement below {}",
                                     lines.strong(fmt::format("{:.3f}", m.hop_bytes / m.bytes)),
                                     fmt::format("{:.3f}", m.consecutive_hop_bytes / m.bytes),
                                     fmt::format("{:.3f}", m.least_hop_bytes / m.bytes)));
  }
  if (const ExchangeBandwidth& e = r.exchange; e.tasks > 0) {
    const auto share = [&](double value) { return fmt::format("{:.1f} %", 100 * value / e.link); };
    if (std::isfinite(e.link)) {
      lines.add("exchange", fmt::format("{} of a link on average   from {} to {}   of {} tasks",
                                        lines.strong(share(e.mean)), share(e.min), share(e.max), grouped(e.tasks)));
    }
    if (r.cycle_ns > 0) {
      lines.add(std::isfinite(e.link) ? "" : "exchange",
                fmt::format("{} MiB/s on average   from {} to {}", lines.strong(significant(r.mib_per_s(e.mean))),
                            significant(r.mib_per_s(e.min)), significant(r.mib_per_s(e.max))));
    }
  }
  if (!r.burst_cycles.empty()) {
    const auto [least, most] = std::minmax_element(r.burst_cycles.begin(), r.burst_cycles.end());
    lines.add("bursts", fmt::format("{}, mean {}, from {} to {} {}", grouped(r.burst_cycles.size()),
                                    lines.strong(clock.text(stats::mean_of(r.burst_cycles))), clock.text(*least),
                                    clock.text(*most), clock.unit()));
  }
}

/// When a job ran, or since when it runs.
std::string time_of(const JobRow& job, const Clock& clock) {
  const std::string from = clock.text(job.start_cycle);
  if (!std::isfinite(job.finish_cycle)) return fmt::format("from {} {} on", from, clock.unit());
  return fmt::format("from {} to {} {}", from, clock.text(job.finish_cycle), clock.unit());
}

void add_jobs(Lines& lines, const RunResult& r) {
  const Clock clock(r);
  std::size_t width = 0;
  for (const JobRow& job : r.jobs) width = std::max(width, job.name.size());
  for (std::size_t ix = 0; ix < std::min(r.jobs.size(), most_jobs); ++ix) {
    const JobRow& job = r.jobs[ix];
    std::string text = fmt::format("{:<{}}   {}, {}", job.name, width, counted(job.tasks, "task"), time_of(job, clock));
    if (std::isfinite(job.slowdown)) text += fmt::format(", slow-down {}", lines.strong(significant(job.slowdown)));
    if (job.background && job.repetitions > 0)
      text += fmt::format(", {}", job.repetitions == 1 ? "once" : grouped(job.repetitions) + " times");
    if (job.packets > 0)
      text += fmt::format("   latency mean {}   max {}", clock.text(job.latency_mean), clock.text(job.latency_max));
    if (const double bandwidth = r.bytes_per_cycle(job); bandwidth > 0)
      text += fmt::format("   {} bytes/cycle", significant(bandwidth));
    lines.add(ix == 0 ? "jobs" : "", text);
    if (job.checkpoints == 0 && job.failures == 0) continue;
    lines.add(
        "", fmt::format("{:<{}}   {}, {}: {} {} in checkpoints, {} of work lost, {} waiting for nodes, {} in restarts",
                        "", width, counted(job.failures, "failure"), counted(job.checkpoints, "checkpoint"),
                        clock.text(job.checkpoint_cycles), clock.unit(), clock.text(job.lost_cycles),
                        clock.text(job.waiting_cycles), clock.text(job.restart_cycles)));
  }
  if (r.jobs.size() > most_jobs) lines.add("", fmt::format("and {} more", grouped(r.jobs.size() - most_jobs)));
}

/// Adds the activities of a job, 0 without jobs; `name`: of the job, if there is one.
void add_activities(Lines& lines, const RunResult& r, u64 job, const std::string& name) {
  const double all = r.lane_cycles(job);
  const auto of_job = [job](const ActivityRow& row) { return row.job == job; };
  if (all > 0 && std::ranges::count_if(r.activities, of_job) > 1) {
    const auto share = [&lines](double of_all) { return lines.strong(fmt::format("{:.1f} %", 100 * of_all)); };
    lines.add("exposed", fmt::format("{} of the {}tasks' time is communication that nothing hides",
                                     share(r.exposed_communication(job)), name.empty() ? "" : name + "'s "));
    if (r.hidden_communication(job) > 0)
      lines.add("hidden",
                fmt::format("{} of it is communication while they compute", share(r.hidden_communication(job))));
    if (r.bubble(job) > 0)
      lines.add("schedule", fmt::format("{} of it they wait even where messages cost nothing", share(r.bubble(job))));
  }
  bool first = true;
  for (const ActivityRow& row : r.activities) {
    if (!of_job(row) || (row.cycles == 0 && row.side_cycles == 0)) continue;
    std::string text = fmt::format("{:<16} {:5.1f} %", row.name, all > 0 ? 100 * row.cycles / all : 0);
    if (row.side_cycles > 0)
      text += fmt::format("   beside it {} {} a task", Clock(r).text(row.side_cycles), Clock(r).unit());
    if (row.messages > 0) text += fmt::format("   {} messages, {} bytes", grouped(row.messages), grouped(row.bytes));
    lines.add(first ? "activities" : "", text);
    first = false;
  }
}

void add_activities(Lines& lines, const RunResult& r) {
  if (r.jobs.empty()) add_activities(lines, r, 0, "");
  for (u64 job = 0; job < std::min(r.jobs.size(), most_jobs); ++job) add_activities(lines, r, job, r.jobs[job].name);
  if (!std::isfinite(r.bus.bus)) return;
  const bool timed = r.cycle_ns > 0;
  const double to_unit = timed ? 1 / r.cycle_ns : 1;
  lines.add("bandwidth", fmt::format("bus {} {}   algorithm {}", lines.strong(significant(r.bus.bus * to_unit, 5)),
                                     timed ? "GB/s" : "bytes/cycle", significant(r.bus.algorithm * to_unit, 5)));
}

void add_cosim(Lines& lines, const RunResult& r) {
  if (!r.cosim) return;
  const CosimResult& c = *r.cosim;
  lines.add("endpoints",
            fmt::format("{} ({})   simulated time {} ns   {} messages came{}", c.endpoints.size(), c.endpoints_are,
                        grouped(c.time_ns), grouped(c.messages),
                        c.slice_ns > 0 ? fmt::format(" after {:.1f} ns on average", c.latency_ns_mean) : ""));
  if (c.slice_ns == 0) return;
  lines.add(
      "slices",
      fmt::format("{} of {} ns   {} left out   {}", grouped(c.slices), grouped(c.slice_ns), grouped(c.skipped_slices),
                  c.late_messages == 0 ? std::string("no message came late")
                                       : fmt::format("{} messages came late, by {} ns at most",
                                                     grouped(c.late_messages), grouped(c.late_ns_max))));
}

/// Completion times and slowdowns, of all flows and by size.
void add_flows(Lines& lines, const RunResult& r) {
  const Clock clock(r);
  for (std::size_t ix = 0; ix < r.flows.size(); ++ix) {
    const FlowRow& f = r.flows[ix];
    if (ix == 1 && r.flows.size() == 2) break;  // all are of one class
    const std::string which = ix == 0 ? "in all" : fmt::format("up to {} bytes", grouped(f.most_bytes));
    lines.add(ix == 0 ? "flows" : "",
              fmt::format("{} {}   slowdown p50 {}   p95 {}   p99 {}   completion p50 {}   p99 {} {}", grouped(f.flows),
                          which, significant(f.slowdown_p50), significant(f.slowdown_p95),
                          lines.strong(significant(f.slowdown_p99)), clock.text(f.fct_p50), clock.text(f.fct_p99),
                          clock.unit()));
  }
}

void add_routes(Lines& lines, const RunResult& r) {
  if (!r.chooses_routes) return;
  const models::RouteCounts& routes = r.counts.routes;
  lines.add("routes", fmt::format("{} packets out of order, {} stopped   {} new routes, {} of them forced   {} probes",
                                  grouped(routes.out_of_order), grouped(routes.stopped), grouped(routes.rerouted),
                                  grouped(routes.forced), grouped(routes.probes)));
  if (routes.rerouted > 0)
    lines.add("", fmt::format("the last new route at cycle {}", significant(r.last_reroute_cycle, 8)));
}

void add_steady_state(Lines& lines, const RunResult& r) {
  if (!r.seeds.empty()) {
    const std::string cycles =
        fmt::format("cycles {}{}", significant(r.seeds_cycles.mean, 6), plus_minus(r.interval_of(r.seeds_cycles)));
    lines.add("seeds",
              fmt::format("{} from {} on; {} % confidence: accepted {}{}, latency {}{}, {}", grouped(r.seeds.size()),
                          r.seeds.front().seed, r.confidence_percent, significant(r.seeds_load.mean),
                          plus_minus(r.interval_of(r.seeds_load)), significant(r.seeds_latency.mean),
                          plus_minus(r.interval_of(r.seeds_latency)), cycles));
    if (!r.measured) return;
    const auto converged = std::ranges::count_if(r.seeds, &SeedRow::converged);
    return lines.add("steady", fmt::format("{}: {} of {} runs converged", r.converged ? "yes" : lines.strong("no"),
                                           grouped(static_cast<u64>(converged)), grouped(r.seeds.size())));
  }
  if (!r.measured || r.batches.empty()) return;
  const std::string text = (r.converged ? "yes, from cycle " : lines.strong("no") + ", measured from cycle ") +
                           grouped(r.batches.front().begin);
  lines.add("steady", text);
}

void add_counts(Lines& lines, const RunResult& r) {
  lines.add("packets", fmt::format("{} generated, {} injected, {} delivered, {} dropped, {} in flight",
                                   grouped(r.counts.generated), grouped(r.counts.injected), grouped(r.counts.delivered),
                                   grouped(r.counts.dropped), grouped(r.packets_in_flight)));
  lines.add("messages", fmt::format("{} sent, {} delivered; {} router-to-router hops", grouped(r.counts.messages_sent),
                                    grouped(r.counts.messages_delivered), grouped(r.counts.hops)));
}

/// Who was cut off: the first of them.
void add_cut_off(Lines& lines, const RunResult& r) {
  constexpr std::size_t most_named = 3;
  const auto when = [&r](double cycle) {
    return r.cycle_ns > 0 ? duration(cycle * r.cycle_ns * 1e-9) : "cycle " + significant(cycle, 9);
  };
  for (std::size_t k = 0; k < std::min(r.cut_off.size(), most_named); ++k) {
    const CutOffRow& row = r.cut_off[k];
    const std::string until = std::isnan(row.until_cycle) ? "the end" : when(row.until_cycle);
    lines.add(k == 0 ? "cut off" : "", fmt::format("node{} {} from {} to {}", row.node_count == 1 ? "" : "s", row.nodes,
                                                   when(row.since_cycle), until));
  }
  if (r.cut_offs > most_named)
    lines.add("", fmt::format("and {} more (faults.cut_off_nodes in the JSON summary)",
                              grouped(r.cut_offs - std::min(r.cut_off.size(), most_named))));
}

void add_faults(Lines& lines, const RunResult& r) {
  if (r.faults.empty()) return;
  u64 lost = 0, rerouted = 0;
  for (const FaultRow& event : r.faults) {
    lost += event.packets_lost;
    rerouted += event.rerouted;
  }
  const FaultRow& worst = *std::ranges::max_element(r.faults, {}, &FaultRow::packets_lost);
  lines.add("faults", fmt::format("{} events: {} packets lost, {} sent another way; the parts work {} of the time",
                                  grouped(r.faults.size()), grouped(lost), grouped(rerouted), percent(r.availability)));
  if (lost == 0) return;
  lines.add("",
            fmt::format("most by {} {} at cycle {}: {} packets, the last {} cycles later", worst.part, worst.state,
                        significant(worst.cycle, 9), grouped(worst.packets_lost), significant(worst.recovered_cycles)));
}

/// Adds the part that fits on a line of what [statistics] asked for.
void add_extra(Lines& lines, const ExtraStatistics& extra) {
  if (!extra.busiest.empty()) {
    const BusyLink& link = extra.busiest.front();
    lines.add("links", fmt::format("busiest: {}, {} packets, taken {} % of the time", link.link, grouped(link.packets),
                                   significant(100 * link.utilisation, 3)));
  }
  if (!extra.pairs.empty()) lines.add("pairs", grouped(extra.pairs.size()) + " of source and destination");
  if (!extra.events_path.empty()) {
    lines.add("events", fmt::format("{} of single packets in '{}'", grouped(extra.events), extra.events_path));
  }
}

void add_engine(Lines& lines, const RunResult& r) {
  const EngineCounters& e = r.engine;
  lines.add("engine", rate(e.events, e.wall_s) + " events/s, " + rate(e.packet_hops, e.wall_s) + " packet-hops/s; " +
                          grouped(e.events) + " events in " + duration(e.wall_s) + ", set-up " + duration(e.setup_s));
  if (r.resumed_cycles > 0) {
    lines.add("", "resumed from a checkpoint: what is said of the engine covers the run from cycle " +
                      grouped(r.resumed_cycles) + " on, all else the whole run");
  }
  std::string ranks = counted(r.ranks, "rank") + ", " + e.protocol;
  if (r.ranks > 1) {
    const std::string steps = e.protocol == "null-message" ? fmt::format("{} null messages, {} agreements of all ranks",
                                                                         grouped(e.null_messages), grouped(e.exchanges))
                                                           : fmt::format("{} windows", grouped(e.windows));
    ranks += fmt::format(", lookahead {} {}, {}, {} partition cutting {} links", grouped(e.lookahead_cycles),
                         e.lookahead_cycles == 1 ? "cycle" : "cycles", steps, e.partition, grouped(e.edge_cut));
  }
  lines.add("", ranks);
  const double rss = std::accumulate(e.rss_bytes.begin(), e.rss_bytes.end(), 0.0);
  std::string memory = byte_size(static_cast<double>(e.bytes_per_node)) + "/node, " + byte_size(rss) + " in all";
  if (r.ranks > 1 && !e.blocked_s.empty() && e.wall_s > 0) {
    const double blocked = std::accumulate(e.blocked_s.begin(), e.blocked_s.end(), 0.0);
    const double share = blocked / (e.wall_s * static_cast<double>(e.blocked_s.size()));
    memory += "; ranks wait for one another " + significant(100 * share, 2) + " % of the time";
  }
  lines.add("memory", memory);
}

}  // namespace

std::string summary(const RunResult& result, bool colour) {
  Lines lines(colour);
  add_subject(lines, result);
  add_load(lines, result);
  add_latency(lines, result);
  add_classes(lines, result);
  add_completion(lines, result);
  add_activities(lines, result);
  add_jobs(lines, result);
  add_flows(lines, result);
  add_cosim(lines, result);
  add_routes(lines, result);
  add_counts(lines, result);
  add_faults(lines, result);
  add_cut_off(lines, result);
  add_steady_state(lines, result);
  add_extra(lines, result.extra);
  add_engine(lines, result);
  lines.add("digest", result.digest);
  for (std::size_t ix = 0; ix < std::min(result.warnings.size(), most_warnings); ++ix) lines.warn(result.warnings[ix]);
  if (result.warnings.size() > most_warnings) {
    lines.warn("and " + std::to_string(result.warnings.size() - most_warnings) + " more, in the result file");
  }
  return lines.text();
}

}  // namespace weft::tools
