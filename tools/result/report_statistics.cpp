// Charts of the time series, queues and distances, and the busiest links; see the header.
#include "tools/result/report_statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "tools/result/svg_chart.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {
namespace {

/// A chart of the time series of [statistics]: one line for each of `columns`.
using SeriesColumn = std::pair<const char*, double (*)(const SeriesRow&)>;
std::string series_chart(const std::vector<SeriesRow>& rows, const std::string& title, const std::string& y_label,
                         const std::vector<SeriesColumn>& columns) {
  LineChart chart;
  chart.x_label = "cycle";
  chart.y_label = y_label;
  chart.x_low = static_cast<double>(rows.front().begin);
  chart.x_high = static_cast<double>(rows.back().end);
  for (const auto& [label, value] : columns) {
    const u32 colour = static_cast<u32>(chart.series.size());
    ChartSeries series{label, colour, false, false, {}, rows.size() == 1};
    for (const SeriesRow& row : rows) {
      series.points.emplace_back((static_cast<double>(row.begin) + static_cast<double>(row.end)) / 2, value(row));
    }
    chart.series.push_back(std::move(series));
  }
  return fmt::format("<div><h3>{}</h3>\n{}</div>\n", title, line_chart(chart));
}

std::string series_charts(const std::vector<SeriesRow>& rows) {
  if (rows.empty()) return {};
  return series_chart(rows, "Time series: load", "phits/node/cycle",
                      {{"accepted load", [](const SeriesRow& r) { return r.accepted_load; }},
                       {"injected load", [](const SeriesRow& r) { return r.injected_load; }}}) +
         series_chart(rows, "Time series: latency", "cycles from generation",
                      {{"mean latency", [](const SeriesRow& r) { return r.latency_mean; }}}) +
         series_chart(rows, "Time series: use of the links", "fraction of the time",
                      {{"utilisation", [](const SeriesRow& r) { return r.utilisation; }}}) +
         series_chart(
             rows, "Time series: packets in flight", "packets",
             {{"in the network", [](const SeriesRow& r) { return static_cast<double>(r.network_packets); }},
              {"in injection queues", [](const SeriesRow& r) { return static_cast<double>(r.queued_packets); }}});
}

std::string occupancy_chart(const std::vector<OccupancyRow>& rows) {
  if (rows.empty()) return {};
  u64 transit = 0, injection = 0;
  for (const OccupancyRow& row : rows) transit += row.transit_queues, injection += row.injection_queues;
  LineChart chart;
  chart.x_label = "packets in a queue";
  chart.y_label = "% of the queues";
  chart.x_high = static_cast<double>(std::max<std::size_t>(rows.size(), 2) - 1);
  ChartSeries through{"transit queues", 0, false, false, {}, true};
  ChartSeries in{"injection queues", 1, true, false, {}, true};
  for (const OccupancyRow& row : rows) {
    const auto share = [](u64 part, u64 all) {
      return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
    };
    through.points.emplace_back(row.packets, share(row.transit_queues, transit));
    in.points.emplace_back(row.packets, share(row.injection_queues, injection));
  }
  chart.series = {std::move(in), std::move(through)};
  return "<div><h3>Occupancy of queues</h3>\n" + line_chart(chart) + "</div>\n";
}

std::string busiest_table(const std::vector<BusyLink>& links) {
  if (links.empty()) return {};
  std::string out =
      "<div><h3>Busiest links</h3>\n<div class=\"scroll\"><table>\n"
      "<tr><th>link</th><th>packets</th><th>% of the time</th></tr>\n";
  for (const BusyLink& link : links) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(link.link), grouped(link.packets),
                       significant(100 * link.utilisation, 3));
  }
  return out + "</table></div></div>\n";
}

std::string distance_chart(const std::vector<DistanceRow>& rows) {
  // Longer routes than a drawing has place for are in networks that nobody draws.
  constexpr u64 longest_way = u64{1} << 20;
  u64 longest = 0;
  for (const DistanceRow& row : rows) longest = std::max(longest, row.links);
  if (rows.empty() || longest > longest_way) return {};
  std::vector<double> packets(longest + 1);
  for (const DistanceRow& row : rows) packets[row.links] += static_cast<double>(row.packets);
  return "<div><h3>Distances travelled</h3>\n" + bar_chart(packets, "links", "packets", "distance") + "</div>\n";
}

}  // namespace

std::string statistics_charts(const ExtraStatistics& extra) {
  return series_charts(extra.series) + busiest_table(extra.busiest) + distance_chart(extra.distances) +
         occupancy_chart(extra.occupancy);
}

}  // namespace weft::tools
