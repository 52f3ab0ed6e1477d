// The JSON summary of a run: the keys that scripts outside the project rely on, and a few more.
#include "tools/result/json_summary.hpp"

#include <iostream>

#include "engine/error.hpp"
#include "tools/result/atomic_file.hpp"
#include "tools/result/engine_counters.hpp"

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
        {"in_flight", r.packets_in_flight}}},
      {"messages", {{"sent", r.messages_sent}, {"delivered", r.messages_delivered}}},
      {"hops", r.hops},
      {"load",
       {{"offered", r.load_offered},
        {"injected", r.load_injected},
        {"accepted", r.load_accepted},
        {"accepted_stddev", r.load_accepted_stddev}}},
      {"latency",
       {{"mean", r.latency_mean},
        {"stddev", r.latency_stddev},
        {"max", r.latency_max},
        {"p50", r.latency_p50},
        {"p99", r.latency_p99},
        {"network_mean", r.latency_network_mean},
        {"unit", "cycles"}}},
      {"distance", {{"mean", r.distance_mean}, {"max", r.distance_max}}},
      {"engine", engine_json(r.engine)},
      {"topology", r.topology_name},
      {"router", r.router_name},
      {"workload", r.workload_name},
      {"host", r.host},
      {"started_at", r.started_at},
      {"cycle_ns", r.cycle_ns},
      {"measured", r.measured},
      {"batches", batches_json(r.batches)},
      {"burst_cycles", r.burst_cycles},
      {"warnings", r.warnings},
  };
  // Counts and times of the engine are those of this process; all else is of the whole run.
  summary["engine"]["covers_from_cycle"] = r.resumed_cycles;
  if (r.task_finish_cycles.size() <= most_tasks_listed) summary["task_finish_cycles"] = r.task_finish_cycles;
  return summary;
}

void write_json(const RunResult& result, const std::string& path) {
  // Host or file names need not be UTF-8; a replacement character is better than no summary.
  const std::string text = to_json(result).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  if (path != "-") return write_file_atomically(path, text, Streams::allowed);
  std::cout << text << std::flush;
  if (!std::cout)
    throw SystemError(
        "cannot write the JSON summary to standard output (disk full or pipe closed); "
        "name a file instead of -");
}

}  // namespace weft::tools
