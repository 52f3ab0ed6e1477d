// Several runs as curves over what differs between them, or side by side.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/base/deviation.hpp"
#include "tools/report/report_parts.hpp"
#include "tools/report/study_curves.hpp"

namespace weft::tools {
namespace {

using page::Json;

/// Settings that differ, and what else tells runs apart: names of the network first, since people call it so.
std::vector<StudySetting> differing(const ReportRuns& runs, std::vector<StudyRun>& rows) {
  std::vector<StudySetting> settings;
  const auto add = [&](StudySetting setting, const std::vector<std::string>& values) {
    if (std::set<std::string>(values.begin(), values.end()).size() < 2) return;
    settings.push_back(std::move(setting));
    for (std::size_t ix = 0; ix < rows.size(); ++ix) rows[ix].values.push_back(values[ix]);
  };
  const auto texts = [&](auto&& of) {
    std::vector<std::string> values;
    for (const ReportRun& run : runs) values.push_back(of(*run.result));
    return values;
  };
  add({"network", "network", "", false}, texts([](const RunResult& r) { return r.topology_name; }));
  add({"router", "router", "", false}, texts([](const RunResult& r) { return r.router_name; }));
  std::set<std::string> keys;
  std::vector<std::map<std::string, std::string>> configs;
  for (const ReportRun& run : runs) {
    configs.push_back(flat_config(*run.result));
    for (const auto& [key, value] : configs.back()) keys.insert(key);
  }
  for (const std::string& key : keys) {
    std::vector<std::string> values;
    for (const auto& config : configs) {
      const auto it = config.find(key);
      values.push_back(it == config.end() || it->second == "null" ? "" : it->second);
    }
    const std::string unit = key == "workload.offered_load" ? "load" : "";
    std::string label = key.substr(key.find('.') + 1);
    std::ranges::replace(label, '_', ' ');
    add({key, label, unit, true}, values);
  }
  add({"nodes", "nodes", ""}, texts([](const RunResult& r) { return std::to_string(r.nodes); }));
  add({"ranks", "ranks", ""}, texts([](const RunResult& r) { return std::to_string(r.ranks); }));
  add({"workload", "workload", "", false}, texts([](const RunResult& r) { return r.workload_name; }));
  return settings;
}

enum class Of : std::size_t { accepted, latency, p99, completion, burst, bus, exchange, slowdown, rate, count };

std::vector<StudyFigure> figures_of_run(const RunResult& r) {
  std::vector<StudyFigure> all(static_cast<std::size_t>(Of::count));
  const auto at = [&all](Of figure) -> StudyFigure& { return all[static_cast<std::size_t>(figure)]; };
  const auto positive = [](double value) { return value != 0 ? value : no_figure; };
  at(Of::accepted) = {positive(r.load_accepted), r.load_accepted_ci95};
  at(Of::latency) = {positive(r.latency_mean), r.latency_mean_ci95};
  at(Of::p99).value = positive(r.latency_p99);
  at(Of::completion).value = r.task_times().last;
  if (!r.burst_cycles.empty()) at(Of::burst).value = stats::mean_of(r.burst_cycles);
  at(Of::bus).value = r.bus.bus;
  if (r.exchange.tasks > 0) at(Of::exchange).value = r.exchange.mean;
  if (!r.flows.empty()) at(Of::slowdown).value = r.flows[0].slowdown_mean;
  if (r.engine.wall_s > 0) at(Of::rate).value = static_cast<double>(r.engine.events) / r.engine.wall_s;
  return all;
}

const std::vector<std::pair<Of, StudyLook>>& looks() {
  static const std::vector<std::pair<Of, StudyLook>> all{
      {Of::completion, {"Completion of the last task", "completion", "time", "", false, false}},
      {Of::burst, {"Mean burst", "burst", "time", "", false, false}},
      {Of::bus, {"Bus bandwidth", "bus bandwidth", "bandwidth", "", false, false}},
      {Of::exchange, {"Bandwidth of a task", "bandwidth", "bandwidth", "", false, false}},
      {Of::accepted, {"Accepted load", "accepted load", "load", "", false, true}},
      {Of::latency, {"Mean latency", "latency from generation", "time", "", true, false}},
      {Of::p99, {"Latency of the slowest 1 %", "99th percentile of latency", "time", "", true, false}},
      {Of::slowdown, {"Slowdown of flows", "mean slowdown", "", "", false, false}},
      {Of::rate, {"Rate of the simulator", "events/s", "", "", false, false}},
  };
  return all;
}

}  // namespace

ReportRuns without_repeats(const ReportRuns& runs) {
  if (few(runs)) return runs;
  ReportRuns first;
  std::set<std::map<std::string, std::string>> seen;
  std::set<double> loads;
  for (const ReportRun& run : runs) {
    std::map<std::string, std::string> config = flat_config(*run.result);
    config.erase("simulation.seed");
    if (!config.empty() && !seen.insert(config).second) continue;
    first.push_back(run);
    loads.insert(run.result->load_offered);
  }
  for (std::size_t ix = 0; ix < first.size(); ++ix) {
    const double place =
        loads.size() > 2 ? static_cast<double>(std::distance(loads.begin(), loads.find(first[ix].result->load_offered)))
                         : static_cast<double>(ix);
    first[ix].order =
        place / static_cast<double>(std::max<std::size_t>((loads.size() > 2 ? loads.size() : first.size()) - 1, 1));
  }
  return first;
}

void add_curves(page::Page& page, const ReportRuns& runs) {
  if (runs.size() < 2) return;
  std::vector<StudyRun> rows;
  for (const ReportRun& run : runs)
    rows.push_back({run.name, {}, figures_of_run(*run.result), marks_of(*run.result), run.clock});
  const std::vector<StudySetting> settings = differing(runs, rows);
  const StudyCurves curves(settings, std::move(rows), "workload.offered_load");
  const bool over_load = curves.has_x() && curves.x_key() == "workload.offered_load";
  page.section("curves", curves.has_x() ? "Curves" : "Side by side");
  for (auto [figure, look] : looks()) {
    const auto ix = static_cast<std::size_t>(figure);
    if (over_load && figure == Of::rate) continue;
    look.diagonal = look.diagonal && over_load;
    Json spec = curves.has_x() ? curves.over_x(ix, look) : curves.bars(ix, look);
    if (!spec.is_null()) page.figure(std::move(spec));
    if (figure != Of::p99 || !over_load) continue;
    spec = curves.over_figure(static_cast<std::size_t>(Of::accepted), {"", "accepted load", "load", "", false, false},
                              static_cast<std::size_t>(Of::latency),
                              {"Latency over accepted load", "latency from generation", "time", "", true, false});
    if (!spec.is_null()) page.figure(std::move(spec));
  }
}

}  // namespace weft::tools
