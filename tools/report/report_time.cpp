// Latency distributions, and what runs did over time.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/text/numbers.hpp"
#include "tools/report/histogram.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

using page::Json;

constexpr u32 latency_columns = 96;
/// More curves than that over time are told apart by a ramp of colours.
constexpr std::size_t most_hues = 8;

bool ramped(const ReportRuns& runs) { return runs.size() > most_hues; }

/// Colours by the order of the runs: what they have in common is where they come from.
void ramp(const ReportRuns& runs, Json& spec) {
  double least = no_figure, most = no_figure;
  for (const ReportRun& run : runs) {
    least = std::fmin(least, run.result->load_offered);
    most = std::fmax(most, run.result->load_offered);
    for (Json& series : spec["series"]) {
      const std::string label = series["label"];
      if (label == run.name || label.starts_with(run.name + ", ")) series["at"] = run.order;
    }
  }
  spec["ramp"] = most > least
                     ? fmt::format("offered load {} to {} phits/node/cycle", significant(least), significant(most))
                     : "first to last run";
}

Json curves(const std::string& title, Json x, Json y) {
  return {{"kind", "curves"}, {"title", title}, {"x", std::move(x)}, {"y", std::move(y)}, {"series", Json::array()}};
}

HistogramRange range_of_all(const ReportRuns& runs) {
  HistogramRange range;
  for (const ReportRun& run : runs) {
    const HistogramRange one = occupied_range(run.result->latency_histogram);
    if (one.high == 0) continue;
    range.low = range.high == 0 ? one.low : std::min(range.low, one.low);
    range.high = std::max(range.high, one.high);
  }
  return range;
}

Json density(page::Page& page, const ReportRun& run, const HistogramRange& range) {
  const std::vector<double> columns = rebin_log(run.result->latency_histogram, range.low, range.high, latency_columns);
  const double total = std::accumulate(columns.begin(), columns.end(), 0.0);
  if (!(total > 0)) return nullptr;
  std::vector<double> x, y;
  for (u32 column = 0; column <= latency_columns; ++column) {
    x.push_back(range.low * std::pow(range.high / range.low, static_cast<double>(column) / latency_columns));
    y.push_back(column < latency_columns ? columns[column] / total : 0);
  }
  return {{"label", run.name}, {"x", page.numbers(x)}, {"y", page.numbers(y)}, {"draw", "steps"}, {"clock", run.clock}};
}

/// Share of the packets that are slower than the end of each bin.
Json tail(page::Page& page, const ReportRun& run) {
  u64 total = 0, slower = 0;
  for (const HistogramBin& bin : run.result->latency_histogram) total += bin.packets;
  if (total == 0) return nullptr;
  std::vector<double> x, y;
  slower = total;
  for (const HistogramBin& bin : run.result->latency_histogram) {
    if (bin.packets == 0 || !std::isfinite(bin.high)) continue;
    if (x.empty()) x.push_back(bin.low), y.push_back(1);
    slower -= bin.packets;
    if (slower == 0) break;
    x.push_back(bin.high);
    y.push_back(static_cast<double>(slower) / static_cast<double>(total));
  }
  return {{"label", run.name}, {"x", page.numbers(x)}, {"y", page.numbers(y)}, {"clock", run.clock}};
}

Json percentile_lines(const ReportRuns& runs) {
  Json lines = Json::array();
  for (std::size_t ix = 0; ix < std::min<std::size_t>(runs.size(), 3); ++ix) {
    const RunResult& r = *runs[ix].result;
    int row = 0;
    for (const auto& [value, label] : {std::pair{r.latency_p50, "50 %"},
                                       {r.latency_p90, "90 %"},
                                       {r.latency_p99, "99 %"},
                                       {r.latency_p999, "99.9 %"}}) {
      if (value > 0) lines.push_back({{"x", value}, {"label", label}, {"series", ix}, {"row", row++}});
    }
  }
  return lines;
}

/// A curve over rows of times, each at the middle of its time.
template <class Row, class Value>
Json over_time(page::Page& page, const std::string& label, const std::vector<Row>& rows, u32 clock, Value&& value) {
  std::vector<double> x, y;
  for (const Row& row : rows) {
    x.push_back((static_cast<double>(row.begin) + static_cast<double>(row.end)) / 2);
    y.push_back(value(row));
  }
  return {{"label", label}, {"x", page.numbers(x)}, {"y", page.numbers(y)}, {"clock", clock}};
}

/// The time series, which the batches continue where it ends with the warm-up.
std::vector<IntervalRow> whole_series(const RunResult& r) {
  std::vector<IntervalRow> rows = r.intervals;
  for (const IntervalRow& row : r.batches) {
    if (rows.empty() || row.begin >= rows.back().end) rows.push_back(row);
  }
  return rows;
}

Json batch_bands(const RunResult& r) {
  Json bands = Json::array();
  for (std::size_t ix = 0; ix < r.batches.size(); ix += 2) {
    bands.push_back(
        {{"from", r.batches[ix].begin}, {"to", r.batches[ix].end}, {"label", fmt::format("batch {}", ix + 1)}});
  }
  return bands;
}

const Json& time_axis() {
  static const Json axis = {{"label", "time"}, {"quantity", "time"}, {"tight", true}};
  return axis;
}

void finish(page::Page& page, const ReportRuns& runs, Json spec) {
  if (spec["series"].empty()) return;
  if (ramped(runs)) ramp(runs, spec);
  if (runs.size() == 1) {
    if (!runs[0].result->batches.empty()) spec["bands"] = batch_bands(*runs[0].result);
    mark_faults(spec, *runs[0].result);
    spec["clock"] = runs[0].clock;
    spec["own"] = true;
  }
  page.figure(std::move(spec));
}

void add_series_of_statistics(page::Page& page, const ReportRuns& runs) {
  using Value = double (*)(const SeriesRow&);
  const auto add = [&](const std::string& title, const std::string& label, const char* quantity,
                       const std::vector<std::pair<const char*, Value>>& columns) {
    Json spec = curves(title, time_axis(), {{"label", label}, {"quantity", quantity}});
    for (const ReportRun& run : runs) {
      const std::vector<SeriesRow>& rows = run.result->extra.series;
      for (const auto& [name, value] : columns) {
        const std::string curve = runs.size() == 1 ? name : columns.size() == 1 ? run.name : run.name + ", " + name;
        if (!rows.empty()) spec["series"].push_back(over_time(page, curve, rows, run.clock, value));
      }
    }
    finish(page, runs, std::move(spec));
  };
  add("Load, finely", "load", "load",
      {{"accepted", [](const SeriesRow& r) { return r.accepted_load; }},
       {"injected", [](const SeriesRow& r) { return r.injected_load; }}});
  add("Mean latency, finely", "latency from generation", "time",
      {{"latency", [](const SeriesRow& r) { return r.delivered_packets > 0 ? r.latency_mean : no_figure; }}});
  add("Slowest packet", "latency from generation", "time",
      {{"latency", [](const SeriesRow& r) { return r.delivered_packets > 0 ? r.latency_max : no_figure; }}});
  add("Links travelled", "links on the routes of the packets delivered", "",
      {{"distance", [](const SeriesRow& r) { return r.delivered_packets > 0 ? r.distance_mean : no_figure; }}});
  add("Use of the links", "share of the time", "share",
      {{"mean link", [](const SeriesRow& r) { return r.utilisation; }}});
  add("Packets in flight", "packets", "",
      {{"in the network", [](const SeriesRow& r) { return static_cast<double>(r.network_packets); }},
       {"in injection queues", [](const SeriesRow& r) { return static_cast<double>(r.queued_packets); }}});
}

}  // namespace

void add_distribution(page::Page& page, const ReportRuns& all) {
  const ReportRuns runs = without_repeats(all);
  const HistogramRange range = range_of_all(runs);
  if (range.high == 0 || !std::isfinite(range.high) || !(range.low > 0)) return;
  page.section("latency", "Latency");
  const Json axis = {{"label", "latency from generation"}, {"quantity", "time"}, {"log", true}};
  Json often = curves("How long packets took", axis, {{"label", "share of the packets"}, {"quantity", "share"}});
  Json slower = curves("How many took longer", axis,
                       {{"label", "share of the packets that took longer"}, {"quantity", "share"}, {"log", true}});
  Json columns = Json::array();
  for (const ReportRun& run : runs) {
    Json one = density(page, run, range);
    if (one.is_null()) continue;
    if (runs.size() > 1) one["draw"] = "line";
    often["series"].push_back(std::move(one));
    slower["series"].push_back(tail(page, run));
  }
  if (often["series"].empty()) return;
  if (runs.size() <= 3 && often["series"].size() == runs.size()) often["lines"] = percentile_lines(runs);
  if (ramped(runs)) ramp(runs, often), ramp(runs, slower);
  if (runs.size() < all.size()) often["caption"] = slower["caption"] = "the first seed of each point";
  page.figure(std::move(often));
  page.figure(std::move(slower));
}

void add_evolution(page::Page& page, const ReportRuns& all) {
  const ReportRuns runs = without_repeats(all);
  const std::string whose = runs.size() < all.size() ? "the first seed of each point" : "";
  page.section("time", "Over time");
  Json load = curves("Load over time", time_axis(), {{"label", "load"}, {"quantity", "load"}});
  Json latency = curves("Latency over time", time_axis(), {{"label", "mean latency"}, {"quantity", "time"}});
  for (const ReportRun& run : runs) {
    const std::vector<IntervalRow> rows = whole_series(*run.result);
    if (rows.empty()) continue;
    const bool alone = runs.size() == 1;
    load["series"].push_back(over_time(page, alone ? "accepted" : run.name, rows, run.clock,
                                       [](const IntervalRow& row) { return row.accepted_load; }));
    latency["series"].push_back(
        over_time(page, alone ? "mean latency" : run.name, rows, run.clock,
                  [](const IntervalRow& row) { return row.delivered_packets > 0 ? row.latency_mean : no_figure; }));
    if (!alone) continue;
    Json injected =
        over_time(page, "injected", rows, run.clock, [](const IntervalRow& row) { return row.injected_load; });
    injected["dash"] = true;
    load["series"].push_back(std::move(injected));
    if (!run.result->batches.empty()) load["caption"] = "shaded: every other one of the batches that were measured";
    if (!run.result->batches.empty()) latency["caption"] = load["caption"];
  }
  if (!whose.empty()) load["caption"] = latency["caption"] = whose;
  finish(page, runs, std::move(load));
  finish(page, runs, std::move(latency));
  add_series_of_statistics(page, runs);
}

}  // namespace weft::tools
