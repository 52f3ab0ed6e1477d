// Statistics of traces as a page that people explore.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "tools/cli/trace_stats_outputs.hpp"
#include "tools/report/figures/traffic_figure.hpp"
#include "tools/report/page/page.hpp"

namespace weft::tools {
namespace {

using page::Json;
using workloads::TimeShares;
using workloads::TraceStats;
using workloads::Traffic;
using workloads::TrafficPair;

/// Bars up to here, a line beyond.
constexpr std::size_t most_task_bars = 256;

Json bars(const std::string& title, const std::string& x, const Json& names, const std::string& y, const Json& values) {
  return {{"kind", "curves"},    {"title", title},
          {"own", true},         {"x", {{"label", x}, {"names", names}}},
          {"y", {{"label", y}}}, {"series", Json::array({{{"label", y}, {"y", values}, {"draw", "bars"}}})}};
}

void add_sizes(page::Page& page, const TraceStats& stats) {
  page.section("sizes", "Messages by size");
  std::size_t first = workloads::size_bins, last = 0;
  for (std::size_t bin = 0; bin < workloads::size_bins; ++bin) {
    if (stats.sizes[bin].count == 0) continue;
    first = std::min(first, bin);
    last = bin;
  }
  if (first == workloads::size_bins) return page.note("There are none.");
  Json names = Json::array(), counts = names, bytes = names, rows = names;
  for (std::size_t bin = first; bin <= last; ++bin) {
    const Traffic& traffic = stats.sizes[bin];
    const u64 least = workloads::least_of_bin(bin);
    names.push_back(least < 1024 ? std::to_string(least) : byte_size(static_cast<double>(least)));
    counts.push_back(traffic.count);
    bytes.push_back(traffic.bytes);
    if (traffic.count > 0) rows.push_back({bin_text(bin), traffic.count, traffic.bytes});
  }
  page.note("Each bar is of messages from the size below it up to the next one.");
  page.figure(bars("Messages", "bytes of a message, from", names, "messages", counts));
  page.figure(bars("Bytes in them", "bytes of a message, from", names, "bytes", bytes));
  page.figure(
      {{"kind", "table"},
       {"title", "Sizes"},
       {"columns", {{{"label", "bytes of a message"}, {"text", true}}, {{"label", "messages"}}, {{"label", "bytes"}}}},
       {"rows", rows}});
}

void over_tasks(page::Page& page, const std::string& title, const std::string& label,
                const std::vector<double>& values) {
  page.figure({{"kind", "curves"},
               {"title", title},
               {"own", true},
               {"x", {{"label", "task"}, {"whole", true}, {"tight", true}}},
               {"y", {{"label", label}}},
               {"series", Json::array({{{"label", label},
                                        {"y", page.numbers(values)},
                                        {"draw", values.size() <= most_task_bars ? "bars" : "line"}}})}});
}

void add_traffic_of(page::Page& page, const TraceStats& stats) {
  if (stats.pairs.empty()) return;
  page.section("traffic", "Who sends to whom");
  TrafficTable table;
  table.what = "task";
  table.side = stats.tasks;
  table.values = {{"bytes", "bytes", "", {}, {}}, {"messages", "messages", "", {}, {}}};
  std::vector<double> sent(stats.tasks, 0), got(stats.tasks, 0);
  for (const TrafficPair& pair : stats.pairs) {
    table.from.push_back(pair.from);
    table.to.push_back(pair.to);
    table.values[0].counts.push_back(pair.messages.bytes);
    table.values[1].counts.push_back(pair.messages.count);
    sent[pair.from] += static_cast<double>(pair.messages.bytes);
    got[pair.to] += static_cast<double>(pair.messages.bytes);
  }
  Json map = traffic_figure(page, table);
  if (!map.is_null()) page.figure(std::move(map));
  over_tasks(page, "Sent", "bytes", sent);
  over_tasks(page, "Received", "bytes", got);
  over_tasks(page, "Partners", "tasks that it sends to", {stats.partners_to.begin(), stats.partners_to.end()});
}

void add_collectives(page::Page& page, const TraceStats& stats) {
  if (stats.collectives.empty()) return;
  page.section("collectives", "Collective calls");
  if (stats.calls_of_unknown_size > 0)
    page.note(fmt::format("The trace does not say the size of {} calls.", grouped(stats.calls_of_unknown_size)));
  Json names = Json::array(), calls = names, rows = names;
  for (const auto& [operation, traffic] : stats.collectives) {
    names.push_back(workloads::name_of(operation));
    calls.push_back(traffic.count);
  }
  for (const auto& [key, traffic] : stats.collective_sizes)
    rows.push_back({workloads::name_of(key.first), bin_text(key.second), traffic.count, traffic.bytes});
  page.figure(bars("Calls", "operation", names, "calls of tasks", calls));
  page.figure({{"kind", "table"},
               {"title", "Sizes of calls"},
               {"columns",
                {{{"label", "operation"}, {"text", true}},
                 {{"label", "bytes of a call"}, {"text", true}},
                 {{"label", "calls of tasks"}},
                 {{"label", "bytes"}}}},
               {"rows", rows}});
}

void add_times(page::Page& page, const TraceStats& stats) {
  if (!stats.has_times || stats.tasks == 0) return;
  page.section("times", "Time by task");
  // So many bars at most: beyond, each is the mean of neighbours.
  const u32 shown = std::min<u32>(stats.tasks, most_task_bars);
  Json names = Json::array(), series = names;
  for (const char* name : TimeShares::names)
    series.push_back({{"label", name}, {"draw", "bars"}, {"y", Json::array()}});
  for (u32 bar = 0; bar < shown; ++bar) {
    const u64 first = u64{bar} * stats.tasks / shown, end = (u64{bar} + 1) * stats.tasks / shown;
    names.push_back(end - first == 1 ? std::to_string(first) : fmt::format("{} to {}", first, end - 1));
    for (std::size_t part = 0; part < TimeShares::parts; ++part) {
      double seconds = 0;
      for (u64 task = first; task < end; ++task) seconds += static_cast<double>(stats.times[task].ns[part]) * 1e-9;
      series[part]["y"].push_back(seconds / static_cast<double>(end - first));
    }
  }
  page.figure({{"kind", "curves"},
               {"title", "Time by task"},
               {"caption", shown < stats.tasks ? "each bar is the mean of neighbouring tasks" : ""},
               {"own", true},
               {"stacked", true},
               {"wide", true},
               {"x", {{"label", "task"}, {"names", names}}},
               {"y", {{"label", "seconds"}}},
               {"series", series}});
}

}  // namespace

std::string page_of(const StatsReport& report) {
  const TraceStats& stats = report.stats;
  page::Page page("Trace " + report.trace);
  page.lead(fmt::format("{} tasks, {} messages, {} bytes in messages, {} pairs of tasks with messages.",
                        grouped(stats.tasks), grouped(stats.messages.count), grouped(stats.messages.bytes),
                        grouped(stats.pairs.size())));
  add_sizes(page, stats);
  add_traffic_of(page, stats);
  add_collectives(page, stats);
  add_times(page, stats);
  return page.html();
}

}  // namespace weft::tools
