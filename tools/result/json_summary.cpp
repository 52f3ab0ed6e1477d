// The JSON summary of a run: the keys that scripts outside the project rely on, and a few more.
#include "tools/result/json_summary.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "tools/result/engine_counters.hpp"
#include "tools/result/route_columns.hpp"
#include "tools/result/seed_columns.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;

constexpr std::size_t most_tasks_listed = 4096;

json parsed_config(const std::string& text) {
  if (text.empty()) return json::object();
  json config = json::parse(text, nullptr, false);
  WEFT_ASSERT(!config.is_discarded());
  return config;
}

json engine_json(const EngineCounters& engine) {
  json object = json::object();
  const auto add = [&object](const char* name, const char*, const char*, const auto& value) { object[name] = value; };
  for_each_counter(engine, add);
  for_each_rate(engine, add);
  return object;
}

json batches_json(const std::vector<IntervalRow>& rows) {
  json list = json::array();
  for (const IntervalRow& row : rows) {
    list.push_back({{"begin", row.begin},
                    {"end", row.end},
                    {"injected_load", row.injected_load},
                    {"accepted_load", row.accepted_load},
                    {"latency_mean", row.latency_mean},
                    {"delivered_packets", row.delivered_packets}});
  }
  return list;
}

/// Plug-ins by lines with a name and a hash.
json plugins_json(const std::vector<std::string>& lines) {
  json list = json::array();
  for (const std::string& line : lines) {
    const auto blank = line.rfind(' ');
    list.push_back({{"name", line.substr(0, blank)}, {"hash", line.substr(blank + 1)}});
  }
  return list;
}

json classes_json(const std::vector<ClassRow>& rows) {
  json list = json::array();
  for (const ClassRow& row : rows) {
    list.push_back({{"traffic_class", row.traffic_class},
                    {"generated_packets", row.generated_packets},
                    {"injected_packets", row.injected_packets},
                    {"delivered_packets", row.delivered_packets},
                    {"accepted_load", row.accepted_load},
                    {"latency_mean", row.latency_mean}});
  }
  return list;
}

/// null for a figure that the run does not have.
json figure(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }
template <class Value>
json figure(const Value& value) {
  return value;
}

/// `measured`: the runs looked for a steady state.
json seeds_json(const std::vector<SeedRow>& rows, bool measured) {
  json list = json::array();
  for (const SeedRow& row : rows) {
    json object = json::object();
    for_each_seed_column([&](const char* name, auto member, const char*) { object[name] = figure(row.*member); });
    if (!measured) object["converged"] = nullptr;
    list.push_back(std::move(object));
  }
  return list;
}

constexpr std::size_t most_rows_listed = 4096;

json series_json(const std::vector<SeriesRow>& rows) {
  json list = json::array();
  for (const SeriesRow& row : rows) {
    list.push_back({{"begin", row.begin},
                    {"end", row.end},
                    {"injected_load", row.injected_load},
                    {"accepted_load", row.accepted_load},
                    {"utilisation", row.utilisation},
                    {"latency_mean", row.latency_mean},
                    {"delivered_packets", row.delivered_packets},
                    {"dropped_packets", row.dropped_packets},
                    {"network_packets", row.network_packets},
                    {"queued_packets", row.queued_packets}});
  }
  return list;
}

json exchange_json(const RunResult& r) {
  const ExchangeBandwidth& e = r.exchange;
  const auto figures = [&](auto&& of) {
    return json{{"mean", figure(of(e.mean))},
                {"stddev", figure(of(e.stddev))},
                {"min", figure(of(e.min))},
                {"max", figure(of(e.max))}};
  };
  return {{"tasks", e.tasks},
          {"bytes_per_cycle", figures([](double value) { return value; })},
          {"mib_per_s", figures([&](double value) { return r.mib_per_s(value); })},
          {"link_share", figures([&](double value) { return value / e.link; })}};
}

json cosim_json(const CosimResult& c) {
  json endpoints = json::array();
  for (const EndpointRow& e : c.endpoints) {
    json row = {{"endpoint", e.endpoint},
                {"name", e.name},
                {"ended", e.ended},
                {"time_ns", e.time_ns},
                {"idle_ns", e.idle_ns},
                {"slices", e.slices},
                {"sent", {{"messages", e.sent_messages}, {"bytes", e.sent_bytes}}},
                {"received", {{"messages", e.received_messages}, {"bytes", e.received_bytes}}}};
    if (e.instructions > 0) row["instructions"] = e.instructions;
    if (!e.said.empty()) row["said"] = e.said;
    endpoints.push_back(std::move(row));
  }
  return {{"endpoints_are", c.endpoints_are},
          {"time_ns", c.time_ns},
          {"slice_ns", c.slice_ns},
          {"nic_latency_ns", c.nic_latency_ns},
          {"slices", c.slices},
          {"skipped_slices", c.skipped_slices},
          {"messages", c.messages},
          {"lost_messages", c.lost_messages},
          {"latency_ns", {{"mean", c.latency_ns_mean}, {"max", c.latency_ns_max}}},
          {"late",
           {{"messages", c.late_messages},
            {"mean_ns", c.late_ns_mean},
            {"max_ns", c.late_ns_max},
            {"bound_ns", c.slice_ns > 2 * c.nic_latency_ns ? c.slice_ns - 2 * c.nic_latency_ns : 0}}},
          {"payload_digest", c.payload_digest},
          {"endpoints", endpoints}};
}

/// All flows, then those of each class of sizes.
json flows_json(const RunResult& r) {
  json list = json::array();
  for (const FlowRow& f : r.flows) {
    list.push_back({{"least_bytes", f.least_bytes},
                    {"most_bytes", f.most_bytes},
                    {"flows", f.flows},
                    {"bytes", f.bytes},
                    {"fct",
                     {{"mean", f.fct_mean},
                      {"p50", f.fct_p50},
                      {"p95", f.fct_p95},
                      {"p99", f.fct_p99},
                      {"max", f.fct_max},
                      {"unit", "cycles"}}},
                    {"slowdown",
                     {{"mean", f.slowdown_mean},
                      {"p50", f.slowdown_p50},
                      {"p95", f.slowdown_p95},
                      {"p99", f.slowdown_p99},
                      {"max", f.slowdown_max}}}});
  }
  return list;
}

/// Activities of a job, 0 without jobs.
json activities_json(const RunResult& r, u64 job) {
  json list = json::array();
  const auto ns = [&r](double cycles) { return figure(r.cycle_ns > 0 ? cycles * r.cycle_ns : no_figure); };
  const double all = r.lane_cycles(job);
  for (const ActivityRow& row : r.activities) {
    if (row.job != job) continue;
    list.push_back({{"name", row.name},
                    {"communicates", row.communicates},
                    {"outside", row.outside},
                    {"cycles", figure(row.cycles)},
                    {"ns", ns(row.cycles)},
                    {"share", figure(all > 0 ? row.cycles / all : no_figure)},
                    {"side_cycles", figure(row.side_cycles)},
                    {"side_ns", ns(row.side_cycles)},
                    {"bubble_cycles", figure(row.bubble_cycles)},
                    {"bubble_ns", ns(row.bubble_cycles)},
                    {"hidden_cycles", figure(row.hidden_cycles)},
                    {"hidden_ns", ns(row.hidden_cycles)},
                    {"messages", row.messages},
                    {"bytes", row.bytes}});
  }
  return list;
}

json packets_json(const JobRow& job) {
  return {{"generated", job.packets_generated}, {"delivered", job.packets}, {"dropped", job.packets_dropped}};
}

json jobs_json(const RunResult& r) {
  json list = json::array();
  const auto ns = [&r](double cycles) { return figure(r.cycle_ns > 0 ? cycles * r.cycle_ns : no_figure); };
  for (const JobRow& job : r.jobs) {
    const double bandwidth = r.bytes_per_cycle(job);
    list.push_back({{"name", job.name},
                    {"tasks", job.tasks},
                    {"background", job.background},
                    {"start_cycle", figure(job.start_cycle)},
                    {"finish_cycle", figure(job.finish_cycle)},
                    {"start_ns", ns(job.start_cycle)},
                    {"finish_ns", ns(job.finish_cycle)},
                    {"repetitions", job.repetitions},
                    {"latency",
                     {{"mean", figure(job.latency_mean)},
                      {"max", figure(job.latency_max)},
                      {"count", job.packets},
                      {"unit", "cycles"}}},
                    {"packets", packets_json(job)},
                    {"messages_sent", job.messages_sent},
                    {"messages", job.messages},
                    {"bytes", job.bytes},
                    {"bytes_per_cycle", figure(bandwidth)},
                    {"mib_per_s", figure(r.mib_per_s(bandwidth))},
                    {"slowdown", figure(job.slowdown)}});
    const u64 number = list.size() - 1;
    if (json activities = activities_json(r, number); !activities.empty()) {
      list.back()["activities"] = std::move(activities);
      list.back()["exposed_communication"] = figure(r.exposed_communication(number));
      list.back()["hidden_communication"] = figure(r.hidden_communication(number));
      list.back()["pipeline_bubble"] = figure(r.bubble(number));
    }
  }
  return list;
}

/// When the tasks were over; in ns where a cycle has a length.
json tasks_json(const RunResult& r) {
  const TaskTimes times = r.task_times();
  json object = {{"count", r.task_finish_cycles.size()}, {"finished", times.finished}};
  const auto add = [&](const std::string& what, double value) {
    object["finish_cycles_" + what] = figure(value);
    object["finish_ns_" + what] = figure(r.cycle_ns > 0 ? value * r.cycle_ns : no_figure);
  };
  add("min", times.first);
  add("mean", times.mean);
  add("max", times.last);
  return object;
}

/// What tasks with lanes did: times in cycles and, where a cycle has a length, ns; means over tasks.
/// 10^9 bytes a second of bytes/cycle.
json gigabytes_per_s(const RunResult& r, double bytes_per_cycle) {
  return figure(r.cycle_ns > 0 ? bytes_per_cycle / r.cycle_ns : no_figure);
}

json spread_json(const Spread& spread) {
  return {{"mean", figure(spread.mean)}, {"stddev", figure(spread.stddev)}, {"ci95", figure(spread.ci95)}};
}

/// What was found of the steady state; null for a run that did not look for one.
json steady_json(const RunResult& r) {
  if (!r.measured) return nullptr;
  return {{"begin_cycle", r.batches.empty() ? 0 : r.batches.front().begin},
          {"load_autocorrelation", figure(r.load_autocorrelation)},
          {"latency_autocorrelation", figure(r.latency_autocorrelation)}};
}

/// What [statistics] asked for and is short; null if there is nothing.
json extra_json(const ExtraStatistics& extra) {
  json object;
  if (!extra.series.empty() && extra.series.size() <= most_rows_listed) object["series"] = series_json(extra.series);
  for (const BusyLink& link : extra.busiest) {
    object["busiest_links"].push_back(
        {{"link", link.link}, {"packets", link.packets}, {"utilisation", link.utilisation}});
  }
  for (const DistanceRow& row : extra.distances) {
    object["distances"].push_back({{"links", row.links}, {"packets", row.packets}});
  }
  if (!extra.pairs.empty()) object["pairs"] = extra.pairs.size();
  for (const OccupancyRow& row : extra.occupancy) {
    object["occupancy"].push_back(
        {{"packets", row.packets}, {"transit_queues", row.transit_queues}, {"injection_queues", row.injection_queues}});
  }
  if (!extra.events_path.empty()) object["events"] = {{"path", extra.events_path}, {"lines", extra.events}};
  return object;
}

}  // namespace

json to_json(const RunResult& r) {
  json summary = {
      {"weft", r.version},
      {"digest", r.digest},
      {"config", parsed_config(r.config_json)},
      {"seed", r.seed},
      {"ranks", r.ranks},
      {"nodes", r.nodes},
      {"routers", r.routers},
      {"cycles", r.cycles},
      {"resumed_from_cycle", r.resumed_cycles},
      {"stop_reason", r.stop_reason},
      {"packets",
       {{"generated", r.packets_generated},
        {"injected", r.packets_injected},
        {"delivered", r.packets_delivered},
        {"dropped", r.packets_dropped},
        {"dropped_at_source", r.packets_dropped_at_source},
        {"copies", r.packets_copied},
        {"combined", r.packets_combined},
        {"in_flight", r.packets_in_flight}}},
      {"messages", {{"sent", r.messages_sent}, {"delivered", r.messages_delivered}}},
      {"hops", r.hops},
      {"load",
       {{"offered", r.load_offered},
        {"injected", r.load_injected},
        {"accepted", r.load_accepted},
        {"accepted_stddev", r.load_accepted_stddev},
        {"accepted_ci95", figure(r.load_accepted_ci95)},
        {"untaken_fraction", figure(r.load_untaken_fraction)},
        {"growth", figure(r.load_growth)}}},
      {"saturated", std::isfinite(r.load_untaken_fraction) ? json(r.saturated()) : json(nullptr)},
      {"figures_of_cycles", {r.figures_of().first, r.figures_of().second}},
      {"latency",
       {{"mean", r.latency_mean},
        {"mean_ci95", figure(r.latency_mean_ci95)},
        {"stddev", r.latency_stddev},
        {"max", r.latency_max},
        {"p50", r.latency_p50},
        {"p90", r.latency_p90},
        {"p99", r.latency_p99},
        {"p999", r.latency_p999},
        {"network_mean", r.latency_network_mean},
        {"unit", "cycles"}}},
      {"distance", {{"mean", r.distance_mean}, {"max", r.distance_max}}},
      {"engine", engine_json(r.engine)},
      {"topology", r.topology_name},
      {"router", r.router_name},
      {"deadlock_search", r.deadlock_search},
      {"workload", r.workload_name},
      {"host", r.host},
      {"started_at", r.started_at},
      {"cycle_ns", r.cycle_ns},
      {"measured", r.measured},
      {"converged", r.measured ? json(r.converged) : json(nullptr)},
      {"steady_state", steady_json(r)},
      {"batches", batches_json(r.batches)},
      {"burst_cycles", r.burst_cycles},
      {"warnings", r.warnings},
  };
  if (!r.fabric_verdict.empty()) summary["fabric_verdict"] = r.fabric_verdict;
  if (r.unbounded_sources) summary["packets"]["at_sources"] = r.packets_at_sources;
  if (!r.classes.empty()) summary["traffic_classes"] = classes_json(r.classes);
  if (r.exchange.tasks > 0) summary["exchange"] = exchange_json(r);
  if (!r.jobs.empty()) summary["jobs"] = jobs_json(r);
  if (!r.plugins.empty()) summary["plugins"] = plugins_json(r.plugins);
  if (!r.flows.empty()) summary["flows"] = flows_json(r);
  if (r.cosim) summary["cosim"] = cosim_json(*r.cosim);
  if (!r.task_finish_cycles.empty()) summary["tasks"] = tasks_json(r);
  if (r.jobs.empty() && !r.activities.empty()) {
    summary["activities"] = activities_json(r, 0);
    summary["exposed_communication"] = figure(r.exposed_communication());
    summary["hidden_communication"] = figure(r.hidden_communication());
    summary["pipeline_bubble"] = figure(r.bubble());
  }
  if (std::isfinite(r.bus.bus)) {
    summary["bandwidth"] = {{"algorithm_bytes_per_cycle", r.bus.algorithm},
                            {"bus_bytes_per_cycle", r.bus.bus},
                            {"algorithm_gbytes_per_s", gigabytes_per_s(r, r.bus.algorithm)},
                            {"bus_gbytes_per_s", gigabytes_per_s(r, r.bus.bus)}};
  }
  if (r.chooses_routes) {
    for_each_route_count([&](const char* name, auto count, const char*) { summary["routes"][name] = r.routes.*count; });
  }
  if (r.marks) {
    summary["congestion"] = {{"marked_packets", r.packets_marked}, {"notifications", r.notifications}};
  }
  if (!r.seeds.empty()) {
    summary["seeds"] = seeds_json(r.seeds, r.measured);
    summary["over_seeds"] = {{"accepted_load", spread_json(r.seeds_load)},
                             {"latency_mean", spread_json(r.seeds_latency)},
                             {"cycles", spread_json(r.seeds_cycles)}};
  }
  // Counts and times of the engine are those of this process; all else is of the whole run.
  summary["engine"]["covers_from_cycle"] = r.resumed_cycles;
  if (json extra = extra_json(r.extra); !extra.is_null()) summary["statistics"] = std::move(extra);
  if (r.task_finish_cycles.size() <= most_tasks_listed) summary["task_finish_cycles"] = r.task_finish_cycles;
  return summary;
}

void write_json(const RunResult& result, const std::string& path) {
  // Host or file names need not be UTF-8; a replacement character is better than no summary.
  const std::string text = to_json(result).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  if (path != "-") return files::write_file_atomically(path, text, files::Streams::allowed);
  std::cout << text << std::flush;
  if (!std::cout)
    throw SystemError(
        "cannot write the JSON summary to standard output (disk full or pipe closed); "
        "name a file instead of -");
}

}  // namespace weft::tools
