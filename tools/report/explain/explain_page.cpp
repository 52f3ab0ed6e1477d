// Explained runs as a page: shares side by side, then each run with its tasks, waits and critical path.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "tools/report/explain/explained_run.hpp"
#include "tools/report/figures/timeline_figure.hpp"
#include "tools/report/figures/traffic_figure.hpp"
#include "tools/report/page/page.hpp"

namespace weft::tools::explain {
namespace {

using page::Json;

/// Bars up to here; beyond, each is the mean of neighbours.
constexpr u32 most_bars = 256;
constexpr std::size_t most_pair_rows = 1000;

/// Parts that any of the runs has: the same in all figures, so that they have the same colours. Idle time is the rest.
std::vector<Part> parts_in(const std::vector<ExplainedRun>& runs) {
  std::vector<Part> parts;
  for (std::size_t p = 0; p < part_count; ++p) {
    const Part part = static_cast<Part>(p);
    if (part == Part::idle) continue;
    if (std::ranges::any_of(runs, [part](const auto& run) { return run.job.all_tasks().of(part) > 0; }))
      parts.push_back(part);
  }
  return parts;
}

const char* name_of(Part part) { return part_names[static_cast<std::size_t>(part)]; }

double cycles_of(const ExplainedRun& run, Tick ticks) {
  return static_cast<double>(ticks) / static_cast<double>(run.frame.ticks_per_cycle);
}

u32 clock_of(page::Page& page, const ExplainedRun& run) {
  return page.clock(run.frame.tick_ns * static_cast<double>(run.frame.ticks_per_cycle), 0);
}

Json stacked(const std::string& title, const std::string& x, const Json& names, const Json& series) {
  return {{"kind", "curves"},
          {"title", title},
          {"own", true},
          {"stacked", true},
          {"x", {{"label", x}, {"names", names}}},
          {"y", {{"label", "share of the run time, %"}, {"low", 0}, {"high", 100}}},
          {"series", series}};
}

Json empty_series(const std::vector<Part>& parts) {
  Json series = Json::array();
  for (const Part part : parts) series.push_back({{"label", name_of(part)}, {"draw", "bars"}, {"y", Json::array()}});
  return series;
}

/// Shares of an average task, or of the critical path, a bar for each run.
template <class Share>
Json side_by_side(const std::string& title, const std::vector<ExplainedRun>& runs, const std::vector<Part>& parts,
                  Share&& share) {
  Json names = Json::array(), series = empty_series(parts);
  for (const ExplainedRun& run : runs) {
    names.push_back(run.name);
    for (std::size_t ix = 0; ix < parts.size(); ++ix) series[ix]["y"].push_back(100 * share(run, parts[ix]));
  }
  return stacked(title, "network", names, series);
}

void add_comparison(page::Page& page, const std::vector<ExplainedRun>& runs, const std::vector<Part>& parts) {
  page.section("shares", "Side by side");
  page.note("What bars lack to 100 % is idle: before a task has begun, and after it is over.");
  page.figure(side_by_side("Time of an average task", runs, parts,
                           [](const ExplainedRun& run, Part part) { return run.mean_share(part); }));
  page.figure(side_by_side("Critical path", runs, parts, [](const ExplainedRun& run, Part part) {
    return run.share(run.job.path_parts().of(part));
  }));
  Json rows = Json::array();
  for (const ExplainedRun& run : runs) {
    const Efficiencies e = efficiencies_of(run);
    Json row = {run.name, page::cell(cycles_of(run, run.job.time()), 0, clock_of(page, run))};
    for (const double value : {e.parallel, e.load_balance, e.communication, e.serialisation, e.transfer})
      row.push_back(page::cell(value));
    rows.push_back(row);
  }
  page.figure({{"kind", "table"},
               {"title", "Efficiencies"},
               {"caption",
                "Parallel efficiency = load balance x communication; communication = serialisation x transfer, where "
                "transfer compares with the same program on a network that costs nothing (POP methodology)."},
               {"wide", true},
               {"columns",
                {{{"label", "run"}, {"text", true}},
                 {{"label", "run time"}, {"quantity", "time"}},
                 {{"label", "parallel efficiency"}},
                 {{"label", "load balance"}},
                 {{"label", "communication"}},
                 {{"label", "serialisation"}},
                 {{"label", "transfer"}}}},
               {"rows", rows}});
}

Json tasks_figure(const ExplainedRun& run, const std::vector<Part>& parts) {
  const auto tasks = static_cast<u32>(run.job.tasks.size());
  const u32 bars = std::min(tasks, most_bars);
  Json names = Json::array(), series = empty_series(parts);
  for (u32 bar = 0; bar < bars; ++bar) {
    const u64 first = u64{bar} * tasks / bars, end = (u64{bar} + 1) * tasks / bars;
    names.push_back(end - first == 1 ? std::to_string(first) : fmt::format("{} to {}", first, end - 1));
    Parts sum;
    for (u64 task = first; task < end; ++task) sum.add(run.job.tasks[task]);
    for (std::size_t ix = 0; ix < parts.size(); ++ix)
      series[ix]["y"].push_back(100 * run.share(sum.of(parts[ix])) / static_cast<double>(end - first));
  }
  Json spec = stacked("Time by task", "task", names, series);
  spec["wide"] = true;
  if (bars < tasks) spec["caption"] = "Each bar is the mean of neighbouring tasks.";
  return spec;
}

void add_waits(page::Page& page, const ExplainedRun& run) {
  TrafficTable table;
  table.what = "task";
  table.side = static_cast<u32>(run.job.tasks.size());
  table.values = {{"waits", "cycles", "time", {}, {}},
                  {"late sender", "cycles", "time", {}, {}},
                  {"transfer", "cycles", "time", {}, {}},
                  {"late receiver", "cycles", "time", {}, {}}};
  const auto cycles = [&](Tick ticks) { return static_cast<u64>(std::llround(cycles_of(run, ticks))); };
  for (const PairWait& pair : run.job.pairs) {
    table.from.push_back(pair.task);
    table.to.push_back(pair.peer);
    table.values[0].counts.push_back(cycles(pair.waits.waits()));
    table.values[1].counts.push_back(cycles(pair.waits.of(Part::late_sender)));
    table.values[2].counts.push_back(cycles(pair.waits.of(Part::transfer)));
    table.values[3].counts.push_back(cycles(pair.waits.of(Part::late_receiver)));
  }
  Json map = traffic_figure(page, table);
  if (map.is_null()) return;
  map["title"] = "Who waits for whom";
  map["caption"] = "Rows are the tasks that wait, columns those that they wait for.";
  map["clock"] = clock_of(page, run);
  map["words"] = {{"row", "waiting"}, {"column", "waited for"},        {"rows", "waits"}, {"columns", "is waited for"},
                  {"strip", "waits"}, {"below", "each is waited for"}, {"from", "task"},  {"to", "waits_for"}};
  page.figure(std::move(map));
  Json rows = Json::array();
  const u32 clock = clock_of(page, run);
  for (const PairWait& pair : longest_waits(run.job, most_pair_rows)) {
    Json row = {pair.task, pair.peer};
    const auto add = [&](Tick ticks) { row.push_back(page::cell(cycles_of(run, ticks), 0, clock)); };
    add(pair.waits.waits());
    for (const Part part : {Part::late_sender, Part::transfer, Part::late_receiver, Part::other})
      add(pair.waits.of(part));
    rows.push_back(row);
  }
  Json columns = {{{"label", "task"}}, {{"label", "waits for"}}};
  for (const char* label : {"time", "late sender", "transfer", "late receiver", "other waits"})
    columns.push_back({{"label", label}, {"quantity", "time"}});
  page.figure({{"kind", "table"}, {"title", "Longest waits"}, {"wide", true}, {"columns", columns}, {"rows", rows}});
}

void add_timeline(page::Page& page, const ExplainedRun& run, const std::vector<Part>& parts) {
  if (!run.job.drawn_whole)
    return page.note(
        "The timeline has too many records for a page; explain a window of it, or a run of its own, with "
        "statistics.timeline_from_cycles and statistics.timeline_to_cycles.");
  std::vector<TimelineRow> rows;
  TimelineExtras extras;
  const auto place = [&](Part part) { return static_cast<u64>(std::ranges::find(parts, part) - parts.begin()); };
  for (const Drawn& one : run.job.drawn) {
    rows.push_back({one.task, one.lane, place(one.part), cycles_of(run, one.begin), cycles_of(run, one.end)});
    extras.peers.push_back(one.peer);
  }
  for (const PathSegment& s : run.job.path)
    extras.path.push_back({cycles_of(run, s.begin), cycles_of(run, s.end), s.from, s.task});
  std::vector<std::string> names;
  for (const Part part : parts) names.emplace_back(name_of(part));
  Json spec = timeline_figure(page, rows, names, {}, extras);
  if (spec.is_null()) return;
  spec["title"] = "What tasks did, and the critical path";
  spec["caption"] =
      "The line is the critical path: where it runs along a task, that task could not have been later; where it "
      "crosses, a message was in flight. The pointer says for whom a task waits.";
  spec["clock"] = clock_of(page, run);
  page.figure(std::move(spec));
}

}  // namespace

std::string page_of(const std::vector<ExplainedRun>& runs) {
  page::Page page("Where the time goes");
  for (const ExplainedRun& run : runs)
    page.lead(fmt::format("{}: {}, {}.", run.name, run.frame.title, time_text(run, run.job.time())));
  const std::vector<Part> parts = parts_in(runs);
  add_comparison(page, runs, parts);
  for (std::size_t ix = 0; ix < runs.size(); ++ix) {
    page.section(fmt::format("run{}", ix), runs[ix].name);
    page.figure(tasks_figure(runs[ix], parts));
    add_timeline(page, runs[ix], parts);
    add_waits(page, runs[ix]);
  }
  return page.html();
}

}  // namespace weft::tools::explain
