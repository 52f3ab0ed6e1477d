// Jobs, activities and flows of runs.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "engine/base/text/numbers.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

using page::cell;
using page::Json;

Json finite_or_null_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// In the order in which runs name them.
std::vector<std::string> job_names(const ReportRuns& runs) {
  std::vector<std::string> names;
  for (const ReportRun& run : runs) {
    for (const JobRow& job : run.result->jobs) {
      if (std::ranges::find(names, job.name) == names.end()) names.push_back(job.name);
    }
  }
  return names;
}

void jobs_figure(page::Page& page, const ReportRuns& runs, const std::string& title, Json y,
                 double (*of)(const JobRow&)) {
  constexpr std::size_t most_jobs = 200;
  const std::vector<std::string> names = job_names(runs);
  if (names.size() < 2 || names.size() > most_jobs) return;
  Json spec = {{"kind", "curves"},        {"title", title},
               {"own", runs.size() == 1}, {"x", {{"label", "job"}, {"names", names}}},
               {"y", std::move(y)},       {"series", Json::array()}};
  for (const ReportRun& run : runs) {
    std::vector<double> values(names.size(), no_figure);
    bool any = false;
    for (const JobRow& job : run.result->jobs) {
      const auto place = static_cast<std::size_t>(std::ranges::find(names, job.name) - names.begin());
      values[place] = of(job);
      any = any || std::isfinite(values[place]);
    }
    if (!any) continue;
    Json y_values = Json::array();
    for (const double value : values) y_values.push_back(finite_or_null_of(value));
    spec["series"].push_back({{"label", run.name}, {"y", y_values}, {"draw", "bars"}, {"clock", run.clock}});
  }
  if (!spec["series"].empty()) page.figure(std::move(spec));
}

/// "train: forward" where there are jobs.
std::string activity_name(const RunResult& r, const ActivityRow& row) {
  return row.job < r.jobs.size() ? r.jobs[row.job].name + ": " + row.name : row.name;
}

}  // namespace

void add_jobs(page::Page& page, const ReportRuns& runs) {
  if (std::ranges::all_of(runs, [](const ReportRun& run) { return run.result->jobs.empty(); })) return;
  page.section("jobs", "Jobs");
  const auto at_clock = [](Json value, u32 clock) {
    if (value.is_number() && clock > 0) return Json{{"value", value}, {"clock", clock}};
    return value;
  };
  Json rows = Json::array();
  for (const ReportRun& run : runs) {
    for (const JobRow& job : run.result->jobs) {
      Json row = Json::array();
      if (runs.size() > 1) row.push_back(run.name);
      row.push_back(job.name + (job.background ? " (background)" : ""));
      row.push_back(job.tasks);
      for (const double time : {job.start_cycle, job.finish_cycle, job.duration()})
        row.push_back(at_clock(cell(time), run.clock));
      row.push_back(cell(job.slowdown));
      row.push_back(job.repetitions);
      for (const double time : {job.latency_mean, job.latency_max}) row.push_back(at_clock(cell(time), run.clock));
      for (const u64 count : {job.packets, job.messages, job.bytes}) row.push_back(count);
      row.push_back(at_clock(cell(run.result->bytes_per_cycle(job)), run.clock));
      rows.push_back(std::move(row));
    }
  }
  Json columns = Json::array();
  if (runs.size() > 1) columns.push_back({{"label", "run"}, {"text", true}});
  columns.push_back({{"label", "job"}, {"text", true}});
  columns.push_back({{"label", "tasks"}});
  for (const char* label : {"begins", "ends", "duration"})
    columns.push_back({{"label", label}, {"quantity", "time"}, {"digits", 6}});
  columns.push_back({{"label", "slowdown"}});
  columns.push_back({{"label", "times"}});
  for (const char* label : {"mean latency", "largest"}) columns.push_back({{"label", label}, {"quantity", "time"}});
  columns.push_back({{"label", "packets"}});
  columns.push_back({{"label", "messages"}});
  columns.push_back({{"label", "data"}, {"quantity", "bytes"}});
  columns.push_back({{"label", "bandwidth"}, {"quantity", "bandwidth"}});
  page.figure({{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}});
  jobs_figure(page, runs, "Duration of jobs", {{"label", "duration"}, {"quantity", "time"}},
              [](const JobRow& job) { return job.duration(); });
  jobs_figure(page, runs, "Slowdown of jobs", {{"label", "slowdown"}}, [](const JobRow& job) { return job.slowdown; });
  jobs_figure(page, runs, "Latency of jobs", {{"label", "mean latency"}, {"quantity", "time"}},
              [](const JobRow& job) { return job.latency_mean; });
}

void add_activities(page::Page& page, const ReportRuns& runs) {
  if (std::ranges::all_of(runs, [](const ReportRun& run) { return run.result->activities.empty(); })) return;
  page.section("activities", "What tasks did");
  std::vector<std::string> names;
  for (const ReportRun& run : runs) {
    for (const ActivityRow& row : run.result->activities) {
      const std::string name = activity_name(*run.result, row);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  Json series = Json::array(), run_names = Json::array();
  for (const std::string& name : names) series.push_back({{"label", name}, {"draw", "bars"}, {"y", Json::array()}});
  for (const ReportRun& run : runs) {
    const RunResult& r = *run.result;
    run_names.push_back(run.name);
    std::vector<double> shares(names.size(), 0);
    for (const ActivityRow& row : r.activities) {
      const double all = r.lane_cycles(row.job);
      if (all > 0)
        shares[static_cast<std::size_t>(std::ranges::find(names, activity_name(r, row)) - names.begin())] =
            row.cycles / all;
    }
    for (std::size_t ix = 0; ix < names.size(); ++ix) series[ix]["y"].push_back(shares[ix]);
  }
  if (runs.size() > 1) {
    page.figure({{"kind", "curves"},
                 {"title", "Shares of the time"},
                 {"stacked", true},
                 {"own", true},
                 {"x", {{"label", "run"}, {"names", run_names}}},
                 {"y", {{"label", "share of the time of a task"}, {"quantity", "share"}}},
                 {"series", series}});
  }
  for (const ReportRun& run : runs) {
    const RunResult& r = *run.result;
    if (r.activities.empty()) continue;
    Json rows = Json::array();
    for (const ActivityRow& row : r.activities) {
      const double all = r.lane_cycles(row.job);
      rows.push_back({activity_name(r, row), cell(row.cycles), all > 0 ? cell(row.cycles / all) : Json(nullptr),
                      row.side_cycles > 0 ? cell(row.side_cycles) : Json(nullptr),
                      row.hidden_cycles > 0 ? cell(row.hidden_cycles) : Json(nullptr),
                      row.bubble_cycles > 0 ? cell(row.bubble_cycles) : Json(nullptr), row.messages, row.bytes});
    }
    page.figure({{"kind", "table"},
                 {"title", runs.size() == 1 ? "Activities" : "Activities of " + run.name},
                 {"columns",
                  {{{"label", "activity"}, {"text", true}},
                   {{"label", "of a task"}, {"quantity", "time"}, {"digits", 6}},
                   {{"label", "share"}, {"quantity", "share"}},
                   {{"label", "beside it"}, {"quantity", "time"}, {"digits", 6}},
                   {{"label", "hidden of that"}, {"quantity", "time"}, {"digits", 6}},
                   {{"label", "waits for the schedule"}, {"quantity", "time"}, {"digits", 6}},
                   {{"label", "messages"}},
                   {{"label", "data"}, {"quantity", "bytes"}}}},
                 {"rows", rows},
                 {"clock", run.clock},
                 {"wide", r.activities.size() > 6}});
    if (std::isfinite(r.exposed_communication()) && r.jobs.empty())
      page.note(
          fmt::format("{}Tasks waited for communication in {} of their time{}; in {} they computed while they "
                      "communicated.",
                      runs.size() == 1 ? "" : run.name + ": ", percent(r.exposed_communication()),
                      r.bubble() > 0 ? fmt::format(", and in {} for each other, as they would if messages cost "
                                                   "nothing",
                                                   percent(r.bubble()))
                                     : "",
                      percent(r.hidden_communication())));
  }
}

void add_flows(page::Page& page, const ReportRuns& runs) {
  constexpr std::size_t most_tables = 6;
  if (std::ranges::all_of(runs, [](const ReportRun& run) { return run.result->flows.empty(); })) return;
  page.section("flows", "Flows");
  using Value = double (*)(const FlowRow&);
  const auto add = [&](const std::string& title, const std::string& label, const char* quantity,
                       const std::vector<std::pair<const char*, Value>>& columns) {
    Json spec = {{"kind", "curves"},
                 {"title", title},
                 {"own", runs.size() == 1},
                 {"x", {{"label", "bytes of a flow, up to"}, {"log", true}}},
                 {"y", {{"label", label}, {"quantity", quantity}, {"log", true}}},
                 {"series", Json::array()}};
    for (const ReportRun& run : runs) {
      // The first row is of all flows.
      const std::vector<FlowRow>& rows = run.result->flows;
      for (const auto& [name, value] : columns) {
        Json x = Json::array(), y = Json::array();
        for (std::size_t ix = 1; ix < rows.size(); ++ix) {
          if (rows[ix].flows == 0) continue;
          x.push_back(rows[ix].most_bytes);
          y.push_back(value(rows[ix]));
        }
        if (x.empty()) continue;
        spec["series"].push_back(
            {{"label", runs.size() == 1 ? name : run.name + ", " + name}, {"x", x}, {"y", y}, {"clock", run.clock}});
      }
    }
    if (!spec["series"].empty()) page.figure(std::move(spec));
  };
  const std::vector<std::pair<const char*, Value>> times{
      {"median", [](const FlowRow& f) { return f.fct_p50; }},
      {"95th percentile", [](const FlowRow& f) { return f.fct_p95; }},
      {"99th percentile", [](const FlowRow& f) { return f.fct_p99; }}};
  const std::vector<std::pair<const char*, Value>> slowdowns{
      {"median", [](const FlowRow& f) { return f.slowdown_p50; }},
      {"95th percentile", [](const FlowRow& f) { return f.slowdown_p95; }},
      {"99th percentile", [](const FlowRow& f) { return f.slowdown_p99; }}};
  const auto last = [&](const auto& all) { return few(runs) ? all : std::vector{all.back()}; };
  add("Completion times of flows", "completion time", "time", last(times));
  add("Slowdown of flows", "slowdown", "", last(slowdowns));
  for (std::size_t ix = 0; ix < std::min(runs.size(), most_tables); ++ix) {
    if (runs[ix].result->flows.empty()) continue;
    Json rows = Json::array();
    for (const FlowRow& f : runs[ix].result->flows) {
      Json row = {grouped(f.least_bytes) + " to " + grouped(f.most_bytes), f.flows};
      for (const double value : {f.slowdown_mean, f.slowdown_p50, f.slowdown_p95, f.slowdown_p99, f.slowdown_max,
                                 f.fct_mean, f.fct_p50, f.fct_p95, f.fct_p99, f.fct_max})
        row.push_back(cell(value));
      rows.push_back(std::move(row));
    }
    Json columns = {{{"label", "bytes of a flow"}, {"text", true}}, {{"label", "flows"}}};
    for (const char* name : {"mean slowdown", "p50", "p95", "p99", "largest"}) columns.push_back({{"label", name}});
    for (const char* name : {"mean completion", "p50", "p95", "p99", "largest"})
      columns.push_back({{"label", name}, {"quantity", "time"}});
    page.figure({{"kind", "table"},
                 {"title", runs.size() == 1 ? "Flows by size" : "Flows of " + runs[ix].name},
                 {"columns", columns},
                 {"rows", rows},
                 {"clock", runs[ix].clock},
                 {"wide", true}});
  }
}

}  // namespace weft::tools
