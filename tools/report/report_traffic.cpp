// Tasks, bursts, nodes, distances, queues and busiest links of runs.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

using page::Json;

/// Bars up to here, a line beyond.
constexpr std::size_t most_index_bars = 256;
/// Runs beyond that many have no figures of single tasks and nodes: their own reports have.
constexpr std::size_t most_detailed = 12;
constexpr u64 longest_distance = u64{1} << 20;

template <class T>
void over_index(page::Page& page, const ReportRuns& runs, const std::string& title, const std::string& index, Json y,
                std::vector<T> RunResult::*values) {
  Json spec = {{"kind", "curves"},
               {"title", title},
               {"x", {{"label", index}, {"whole", true}, {"tight", true}}},
               {"y", std::move(y)},
               {"series", Json::array()}};
  for (const ReportRun& run : runs) {
    const std::vector<T>& list = run.result->*values;
    if (list.empty()) continue;
    const std::vector<double> numbers(list.begin(), list.end());
    const bool bars = runs.size() == 1 && numbers.size() <= most_index_bars;
    spec["series"].push_back(
        {{"label", run.name}, {"y", page.numbers(numbers)}, {"draw", bars ? "bars" : "line"}, {"clock", run.clock}});
  }
  if (runs.size() == 1) spec["own"] = true;
  if (!spec["series"].empty()) page.figure(std::move(spec));
}

void add_distances(page::Page& page, const ReportRuns& runs) {
  Json spec = {{"kind", "curves"},
               {"title", "Distances travelled"},
               {"x", {{"label", "links"}, {"whole", true}}},
               {"y", {{"label", "share of the packets"}, {"quantity", "share"}}},
               {"series", Json::array()}};
  const auto add = [&spec](const ReportRun& run, const std::string& label, u64 DistanceRow::*packets,
                           const char* drawn) {
    std::vector<double> x, y;
    double total = 0;
    for (const DistanceRow& row : run.result->extra.distances) {
      if (row.links > longest_distance) continue;
      x.push_back(static_cast<double>(row.links));
      y.push_back(static_cast<double>(row.*packets));
      total += y.back();
    }
    if (!(total > 0)) return;
    for (double& value : y) value /= total;
    // Rows of a file may come in any order.
    if (!std::ranges::is_sorted(x)) return;
    spec["series"].push_back({{"label", label}, {"x", x}, {"y", y}, {"draw", drawn}});
  };
  for (const ReportRun& run : runs) {
    add(run, runs.size() == 1 ? "delivered" : run.name, &DistanceRow::packets, "bars");
    // That both differ says who is starved: packets for far nodes that were injected, and have not come.
    if (runs.size() == 1) add(run, "injected, on minimal routes", &DistanceRow::injected_packets, "line");
  }
  if (runs.size() == 1) spec["own"] = true;
  if (!spec["series"].empty()) page.figure(std::move(spec));
}

void add_occupancy(page::Page& page, const ReportRun& run) {
  const std::vector<OccupancyRow>& rows = run.result->extra.occupancy;
  if (rows.empty()) return;
  u64 transit = 0, injection = 0;
  for (const OccupancyRow& row : rows) transit += row.transit_queues, injection += row.injection_queues;
  const auto share = [](u64 part, u64 all) {
    return all == 0 ? no_figure : static_cast<double>(part) / static_cast<double>(all);
  };
  Json x = Json::array(), through = x, in = x;
  for (const OccupancyRow& row : rows) {
    x.push_back(row.packets);
    through.push_back(share(row.transit_queues, transit));
    in.push_back(share(row.injection_queues, injection));
  }
  page.figure({{"kind", "curves"},
               {"title", "Occupancy of queues"},
               {"own", true},
               {"x", {{"label", "packets in a queue"}, {"whole", true}, {"values", x}}},
               {"y", {{"label", "share of the queues"}, {"quantity", "share"}}},
               {"series",
                {{{"label", "transit queues"}, {"y", through}, {"draw", "bars"}},
                 {{"label", "injection queues"}, {"y", in}, {"draw", "bars"}}}}});
}

void add_busiest(page::Page& page, const ReportRun& run, bool alone) {
  if (run.result->extra.busiest.empty()) return;
  Json rows = Json::array();
  for (const BusyLink& link : run.result->extra.busiest) {
    rows.push_back({link.link, link.packets, page::cell(link.utilisation)});
  }
  page.figure({{"kind", "table"},
               {"title", alone ? "Busiest links" : "Busiest links of " + run.name},
               {"columns",
                {{{"label", "link"}, {"text", true}},
                 {{"label", "packets"}},
                 {{"label", "of the time"}, {"quantity", "share"}, {"digits", 3}}}},
               {"rows", rows}});
}

void add_classes(page::Page& page, const ReportRun& run, bool alone) {
  if (run.result->classes.empty()) return;
  Json rows = Json::array();
  for (const ClassRow& row : run.result->classes) {
    rows.push_back({row.traffic_class, page::cell(row.accepted_load), page::cell(row.latency_mean),
                    row.generated_packets, row.delivered_packets});
  }
  page.figure({{"kind", "table"},
               {"title", alone ? "Traffic classes" : "Traffic classes of " + run.name},
               {"columns",
                {{{"label", "class"}},
                 {{"label", "accepted"}, {"quantity", "load"}},
                 {{"label", "mean latency"}, {"quantity", "time"}},
                 {{"label", "packets generated"}},
                 {{"label", "delivered"}}}},
               {"rows", rows},
               {"clock", run.clock}});
}

}  // namespace

void add_traffic(page::Page& page, const ReportRuns& runs) {
  page.section("traffic", "Tasks, nodes and links");
  if (runs.size() > most_detailed) {
    add_distances(page, runs);
    return;
  }
  const Json time = {{"label", "finish"}, {"quantity", "time"}};
  over_index(page, runs, "Finish time of each task", "task", time, &RunResult::task_finish_cycles);
  over_index(page, runs, "Duration of each burst", "burst", {{"label", "duration"}, {"quantity", "time"}},
             &RunResult::burst_cycles);
  over_index(page, runs, "Injections per node", "node", {{"label", "packets accepted by the NIC"}},
             &RunResult::node_injected);
  over_index(page, runs, "Injections per node", "node", {{"label", "accepted by the NIC"}, {"quantity", "data"}},
             &RunResult::node_injected_cells);
  over_index(page, runs, "Deliveries per node", "node", {{"label", "packets delivered"}}, &RunResult::node_delivered);
  over_index(page, runs, "Deliveries per node", "node", {{"label", "delivered"}, {"quantity", "data"}},
             &RunResult::node_delivered_cells);
  add_distances(page, runs);
  for (const ReportRun& run : runs) {
    add_busiest(page, run, runs.size() == 1);
    add_classes(page, run, runs.size() == 1);
  }
  if (runs.size() == 1) add_occupancy(page, runs[0]);
}

}  // namespace weft::tools
