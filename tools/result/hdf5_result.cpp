// The result file of a run. Each field is named once, in the visit_ functions below and in hdf5_tables.hpp,
// for both writing and reading.
#include "tools/result/hdf5_result.hpp"

#include <fmt/format.h>
#include <string_view>
#include <type_traits>

#include "engine/base/error.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "tools/result/check_result.hpp"
#include "tools/result/engine_counters.hpp"
#include "tools/result/hdf5_tables.hpp"
#include "tools/result/route_columns.hpp"

namespace weft::tools {
namespace {

constexpr const char* format_name = "weft-result";

/// Calls v(name, field) for each text attribute of the file. `Result` is RunResult or const RunResult, here and below.
template <class Result, class Visitor>
void visit_texts(Result& r, Visitor&& v) {
  v("version", r.version);
  v("digest", r.digest);
  v("host", r.host);
  v("started_at", r.started_at);
  v("stop_reason", r.stop_reason);
  v("topology", r.topology_name);
  v("router", r.router_name);
  v("workload", r.workload_name);
  v("config_toml", r.config_toml);
  v("config_json", r.config_json);
}

/// Calls v(path, field, unit) for each single value.
template <class Result, class Visitor>
void visit_scalars(Result& r, Visitor&& v) {
  v("/summary/nodes", r.nodes, "");
  v("/summary/routers", r.routers, "");
  v("/summary/cycles", r.cycles, "cycles");
  v("/summary/resumed_from_cycle", r.resumed_cycles, "cycles");
  v("/summary/cycle_ns", r.cycle_ns, "ns");
  v("/summary/packets_generated", r.packets_generated, "packets");
  v("/summary/packets_injected", r.packets_injected, "packets");
  v("/summary/packets_delivered", r.packets_delivered, "packets");
  v("/summary/packets_dropped", r.packets_dropped, "packets");
  v("/summary/packets_dropped_at_source", r.packets_dropped_at_source, "packets");
  v("/summary/packets_copied", r.packets_copied, "packets");
  v("/summary/packets_combined", r.packets_combined, "packets");
  v("/summary/packets_in_flight", r.packets_in_flight, "packets");
  v("/summary/messages_sent", r.messages_sent, "messages");
  v("/summary/messages_delivered", r.messages_delivered, "messages");
  v("/summary/hops", r.hops, "links");
  v("/summary/load_offered", r.load_offered, load_unit);
  v("/summary/load_injected", r.load_injected, load_unit);
  v("/summary/load_accepted", r.load_accepted, load_unit);
  v("/summary/load_accepted_stddev", r.load_accepted_stddev, load_unit);
  v("/summary/latency_mean", r.latency_mean, "cycles");
  v("/summary/latency_stddev", r.latency_stddev, "cycles");
  v("/summary/latency_max", r.latency_max, "cycles");
  v("/summary/latency_p50", r.latency_p50, "cycles");
  v("/summary/latency_p99", r.latency_p99, "cycles");
  v("/summary/latency_p90", r.latency_p90, "cycles");
  v("/summary/latency_p999", r.latency_p999, "cycles");
  v("/summary/latency_network_mean", r.latency_network_mean, "cycles");
  v("/summary/distance_mean", r.distance_mean, "links");
  v("/summary/distance_max", r.distance_max, "links");
}

/// Calls v(path, field, unit) for values that files of older versions lack.
template <class Result, class Visitor>
void visit_later_scalars(Result& r, Visitor&& v) {
  v("/summary/load_accepted_ci95", r.load_accepted_ci95, load_unit);
  v("/summary/latency_mean_ci95", r.latency_mean_ci95, "cycles");
  v("/summary/load_untaken_fraction", r.load_untaken_fraction, "");
  v("/summary/load_growth", r.load_growth, load_unit);
  v("/summary/packets_at_sources", r.packets_at_sources, "packets");
  v("/summary/load_autocorrelation", r.load_autocorrelation, "");
  v("/summary/latency_autocorrelation", r.latency_autocorrelation, "");
  const bool reading = !std::is_const_v<Result>;
  if (reading || r.exchange.tasks > 0) {
    v("/exchange/tasks", r.exchange.tasks, "tasks");
    v("/exchange/bandwidth_mean", r.exchange.mean, "bytes/cycle");
    v("/exchange/bandwidth_stddev", r.exchange.stddev, "bytes/cycle");
    v("/exchange/bandwidth_min", r.exchange.min, "bytes/cycle");
    v("/exchange/bandwidth_max", r.exchange.max, "bytes/cycle");
    v("/exchange/link_bandwidth", r.exchange.link, "bytes/cycle");
  }
  if (reading || std::isfinite(r.bus.bus)) {
    v("/tasks/algorithm_bandwidth", r.bus.algorithm, "bytes/cycle");
    v("/tasks/bus_bandwidth", r.bus.bus, "bytes/cycle");
  }
  if (!reading && r.seeds.empty()) return;
  v("/over_seeds/accepted_load_mean", r.seeds_load.mean, load_unit);
  v("/over_seeds/accepted_load_stddev", r.seeds_load.stddev, load_unit);
  v("/over_seeds/accepted_load_ci95", r.seeds_load.ci95, load_unit);
  v("/over_seeds/latency_mean_mean", r.seeds_latency.mean, "cycles");
  v("/over_seeds/latency_mean_stddev", r.seeds_latency.stddev, "cycles");
  v("/over_seeds/latency_mean_ci95", r.seeds_latency.ci95, "cycles");
  v("/over_seeds/cycles_mean", r.seeds_cycles.mean, "cycles");
  v("/over_seeds/cycles_stddev", r.seeds_cycles.stddev, "cycles");
  v("/over_seeds/cycles_ci95", r.seeds_cycles.ci95, "cycles");
}

constexpr const char* unbounded_path = "/summary/unbounded_sources";
constexpr const char* falls_behind_path = "/summary/falls_behind";

/// What NICs did that choose routes.
const std::string routes_group = "/routes/";

/// Times of all tasks together: calls v(path, field, unit).
template <class Times, class Visitor>
void visit_task_times(Times& times, Visitor&& v) {
  v("/tasks/finished", times.finished, "tasks");
  v("/tasks/finish_cycles_min", times.first, "cycles");
  v("/tasks/finish_cycles_mean", times.mean, "cycles");
  v("/tasks/finish_cycles_max", times.last, "cycles");
}

constexpr const char* job_rate_path = "/jobs/bytes_per_cycle";

/// Values that files of the first version may lack.
bool may_be_missing(std::string_view path) { return path == "/summary/latency_p90" || path == "/summary/latency_p999"; }

/// Arrays that only some runs have.
bool is_optional(std::string_view path) {
  return path == "/plugins" || (path.starts_with("/nodes/") && path.ends_with("_cells"));
}

/// Calls v(path, field, unit) for each one-dimensional array.
template <class Result, class Visitor>
void visit_arrays(Result& r, Visitor&& v) {
  v("/nodes/injected_packets", r.node_injected, "packets");
  v("/nodes/delivered_packets", r.node_delivered, "packets");
  v("/nodes/injected_cells", r.node_injected_cells, "phits");
  v("/nodes/delivered_cells", r.node_delivered_cells, "phits");
  v("/tasks/finish_cycles", r.task_finish_cycles, "cycles");
  v("/bursts/duration_cycles", r.burst_cycles, "cycles");
  v("/warnings", r.warnings, "");
  v("/plugins", r.plugins, "");
}

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

/// Where a counter is: lists, which have a value for each rank, in /engine/ranks without "rank_" in their names.
template <class Value>
std::string counter_path(const std::string& name) {
  constexpr std::string_view of_rank = "rank_";
  if constexpr (!is_list<Value>) return "/engine/" + name;
  return "/engine/ranks/" + (name.starts_with(of_rank) ? name.substr(of_rank.size()) : name);
}

void write_counters(files::Hdf5Writer& file, const EngineCounters& engine) {
  const auto write = [&file](const char* name, const char* unit, const char* help, const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    const std::string path = counter_path<Value>(name);
    if constexpr (is_list<Value>) {
      file.column(path, value, unit);
    } else {
      file.scalar(path, value, unit);
    }
    file.attribute(path, "help", std::string(help));
  };
  for_each_counter(engine, write);
  for_each_rate(engine, write);
}

/// Counters that the file does not have, since an older version wrote it, stay as they are.
void read_counters(const files::Hdf5Reader& file, EngineCounters& engine) {
  for_each_counter(engine, [&file](const char* name, const char*, const char*, auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    const std::string path = counter_path<Value>(name);
    if (!file.has_dataset(path)) return;
    if constexpr (is_list<Value>) {
      file.column(path, value);
    } else {
      file.scalar(path, value);
    }
  });
}

constexpr const char* samples_path = "/occupancy/samples";
constexpr const char* events_group = "/packet_events";

/// Only what was asked for is there.
void write_extra(files::Hdf5Writer& file, const ExtraStatistics& extra) {
  visit_extra_tables(extra, [&](const char* group, const auto& rows, auto... more) {
    if (!rows.empty()) write_table(file, group, rows, more...);
  });
  if (!extra.occupancy.empty()) file.scalar(samples_path, extra.occupancy_samples, "");
  if (extra.events_path.empty()) return;
  file.scalar(std::string(events_group) + "/path", extra.events_path, "");
  file.scalar(std::string(events_group) + "/lines", extra.events, "");
}

void read_extra(const files::Hdf5Reader& file, ExtraStatistics& extra) {
  visit_extra_tables(extra, [&](const char* group, auto& rows, auto... more) {
    using Row = typename std::remove_cvref_t<decltype(rows)>::value_type;
    bool there = false;
    visit_columns(
        static_cast<Row*>(nullptr),
        [&](const char* name, auto, const char*) { there |= file.has_dataset(fmt::format("{}/{}", group, name)); },
        more...);
    if (there) read_table(file, group, rows, more...);
  });
  if (file.has_dataset(samples_path)) file.scalar(samples_path, extra.occupancy_samples);
  if (!file.has_dataset(std::string(events_group) + "/path")) return;
  file.scalar(std::string(events_group) + "/path", extra.events_path);
  file.scalar(std::string(events_group) + "/lines", extra.events);
}

void check_identity(const files::Hdf5Reader& file, const std::string& path) {
  std::string format;
  if (!file.has_attribute("format")) file.fail("an HDF5 file without the attribute 'format'");
  file.attribute("format", format);
  if (format != format_name) file.fail(fmt::format("its format is '{}', expected '{}'", format, format_name));
  u64 format_version = 0;
  file.attribute("format_version", format_version);
  if (format_version != result_format_version) {
    throw InputError(fmt::format(
        "cannot read '{}' (result format version {}, expected {}); read it with the version of weft that wrote it",
        path, format_version, result_format_version));
  }
}

}  // namespace

void write_hdf5(const RunResult& result, const std::string& path) {
  files::Hdf5Writer file(path);
  file.attribute("/", "format", format_name);
  file.attribute("/", "format_version", result_format_version);
  visit_texts(result, [&](const char* name, const std::string& text) { file.attribute("/", name, text); });
  file.attribute("/", "deadlock_search", result.deadlock_search);
  if (!result.fabric_verdict.empty()) file.attribute("/", "fabric_verdict", result.fabric_verdict);
  file.attribute("/", "seed", result.seed);
  file.attribute("/", "ranks", u64{result.ranks});
  file.scalar("/summary/measured", u64{result.measured}, "");
  visit_scalars(result, [&](const char* name, const auto& value, const char* unit) { file.scalar(name, value, unit); });
  file.scalar("/summary/converged", u64{result.converged}, "");
  file.scalar("/summary/saturated", u64{result.saturated()}, "");
  file.scalar("/summary/figures_from_cycle", result.figures_of().first, "cycles");
  file.scalar("/summary/figures_to_cycle", result.figures_of().second, "cycles");
  file.scalar(unbounded_path, u64{result.unbounded_sources}, "");
  file.scalar(falls_behind_path, u64{result.falls_behind}, "");
  visit_later_scalars(result,
                      [&](const char* name, const auto& value, const char* unit) { file.scalar(name, value, unit); });
  if (!result.seeds.empty()) write_table(file, "/seeds", result.seeds);
  if (!result.classes.empty()) write_table(file, "/traffic_classes", result.classes);
  if (!result.jobs.empty()) {
    write_table(file, "/jobs", result.jobs);
    std::vector<double> rates;
    for (const JobRow& job : result.jobs) rates.push_back(result.bytes_per_cycle(job));
    file.column(job_rate_path, rates, "bytes/cycle");
  }
  if (!result.activities.empty()) write_table(file, "/activities", result.activities);
  if (!result.timeline.empty()) write_table(file, "/timeline", result.timeline);
  if (!result.flows.empty()) write_table(file, "/flows", result.flows);
  if (result.cosim) {
    visit_cosim(*result.cosim,
                [&](const char* name, const auto& value, const char* unit) { file.scalar(name, value, unit); });
    write_table(file, "/endpoints", result.cosim->endpoints);
  }
  if (result.chooses_routes) {
    for_each_route_count([&](const char* name, auto count, const char* unit) {
      file.scalar(routes_group + name, result.routes.*count, unit);
    });
  }
  if (result.marks) {
    file.scalar("/congestion/marked_packets", result.packets_marked, "packets");
    file.scalar("/congestion/notifications", result.notifications, "");
  }
  if (!result.task_finish_cycles.empty()) {
    const TaskTimes times = result.task_times();
    visit_task_times(times,
                     [&](const char* name, const auto& value, const char* unit) { file.scalar(name, value, unit); });
  }
  // Not read back: it says what /engine covers.
  file.scalar("/engine/covers_from_cycle", u64{result.resumed_cycles}, "cycles");
  write_counters(file, result.engine);
  visit_arrays(result, [&](const char* name, const auto& values, const char* unit) {
    if (!is_optional(name) || !values.empty()) file.column(name, values, unit);
  });
  write_table(file, "/intervals", result.intervals);
  write_table(file, "/batches", result.batches);
  write_table(file, "/latency_histogram", result.latency_histogram);
  write_extra(file, result.extra);
  file.save();
}

RunResult read_hdf5(const std::string& path) {
  const files::Hdf5Reader file(path);
  check_identity(file, path);
  RunResult result;
  visit_texts(result, [&](const char* name, std::string& text) { file.attribute(name, text); });
  if (file.has_attribute("deadlock_search")) file.attribute("deadlock_search", result.deadlock_search);
  if (file.has_attribute("fabric_verdict")) file.attribute("fabric_verdict", result.fabric_verdict);
  file.attribute("seed", result.seed);
  u64 ranks = 0;
  file.attribute("ranks", ranks);
  result.ranks = static_cast<u32>(ranks);
  u64 measured = 0;
  file.scalar("/summary/measured", measured);
  result.measured = measured != 0;
  visit_scalars(result, [&](const char* name, auto& value, const char*) {
    if (!may_be_missing(name) || file.has_dataset(name)) file.scalar(name, value);
  });
  if (file.has_dataset("/summary/converged")) {
    u64 converged = 0;
    file.scalar("/summary/converged", converged);
    result.converged = converged != 0;
  }
  visit_later_scalars(result, [&](const char* name, auto& value, const char*) {
    if (file.has_dataset(name)) file.scalar(name, value);
  });
  if (file.has_dataset(unbounded_path)) {
    u64 unbounded = 0;
    file.scalar(unbounded_path, unbounded);
    result.unbounded_sources = unbounded != 0;
  }
  if (file.has_dataset(falls_behind_path)) {
    u64 falls_behind = 0;
    file.scalar(falls_behind_path, falls_behind);
    result.falls_behind = falls_behind != 0;
  }
  if (file.has_dataset("/seeds/seed")) read_table(file, "/seeds", result.seeds);
  if (file.has_dataset("/traffic_classes/traffic_class")) read_table(file, "/traffic_classes", result.classes);
  if (file.has_dataset("/jobs/name")) read_table(file, "/jobs", result.jobs);
  if (file.has_dataset(job_rate_path)) {
    std::vector<double> rates;
    file.column(job_rate_path, rates);
    if (rates.size() != result.jobs.size())
      file.fail(fmt::format("'{}' has {} rows for {} jobs", job_rate_path, rates.size(), result.jobs.size()));
    for (std::size_t j = 0; j < rates.size(); ++j) result.jobs[j].bytes_per_cycle = rates[j];
  }
  if (file.has_dataset("/tasks/finished")) {
    visit_task_times(result.told_task_times.emplace(),
                     [&](const char* name, auto& value, const char*) { file.scalar(name, value); });
  }
  if (file.has_dataset("/activities/name")) read_table(file, "/activities", result.activities);
  if (file.has_dataset("/timeline/task")) read_table(file, "/timeline", result.timeline);
  if (file.has_dataset("/flows/flows")) read_table(file, "/flows", result.flows);
  if (file.has_dataset("/endpoints/endpoint")) {
    visit_cosim(result.cosim.emplace(), [&](const char* name, auto& value, const char*) { file.scalar(name, value); });
    read_table(file, "/endpoints", result.cosim->endpoints);
  }
  result.chooses_routes = file.has_dataset(routes_group + "probes");
  if (result.chooses_routes) {
    for_each_route_count(
        [&](const char* name, auto count, const char*) { file.scalar(routes_group + name, result.routes.*count); });
  }
  result.marks = file.has_dataset("/congestion/marked_packets");
  if (result.marks) {
    file.scalar("/congestion/marked_packets", result.packets_marked);
    file.scalar("/congestion/notifications", result.notifications);
  }
  read_counters(file, result.engine);
  visit_arrays(result, [&](const char* name, auto& values, const char*) {
    if (!is_optional(name) || file.has_dataset(name)) file.column(name, values);
  });
  read_table(file, "/intervals", result.intervals);
  read_table(file, "/batches", result.batches);
  read_table(file, "/latency_histogram", result.latency_histogram);
  read_extra(file, result.extra);
  if (const std::string problem = result_problem(result); !problem.empty()) file.fail(problem);
  return result;
}

}  // namespace weft::tools
