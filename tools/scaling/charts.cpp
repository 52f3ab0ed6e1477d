// Plots from points; see the header.
#include "tools/scaling/charts.hpp"

#include <algorithm>

namespace weft::tools {
namespace {

u32 colour_of(std::size_t ix) { return static_cast<u32>(ix % series_colours); }

LineChart rank_chart(const ScalingResult& result, const std::string& y_label) {
  LineChart chart;
  chart.x_label = "ranks";
  chart.y_label = y_label;
  chart.x_high = 1;
  for (const ScalingPoint& point : result.points) {
    chart.x_high = std::max(chart.x_high, static_cast<double>(point.cell.ranks));
  }
  chart.x_low = 0;
  return chart;
}

/// A line for each series; `value` gives y of a point.
template <class F>
void add_series(const ScalingResult& result, LineChart& chart, F&& value) {
  const std::vector<ScalingSeries> all = scaling_series(result.study, result.points);
  for (std::size_t ix = 0; ix < all.size(); ++ix) {
    ChartSeries line{all[ix].label, colour_of(ix), false, false, {}};
    line.markers = true;
    for (const ScalingPoint* point : all[ix].points) line.points.emplace_back(point->cell.ranks, value(*point));
    chart.series.push_back(std::move(line));
  }
}

/// The part of the axis where ranks share cores.
void mark_shared_cores(const ScalingResult& result, LineChart& chart) {
  if (chart.x_high > result.log.cores) {
    chart.bands.push_back({static_cast<double>(result.log.cores), chart.x_high, "more ranks than cores"});
  }
}

}  // namespace

LineChart speed_up_chart(const ScalingResult& result) {
  LineChart chart = rank_chart(result, "speed-up");
  mark_shared_cores(result, chart);
  add_series(result, chart, [](const ScalingPoint& point) { return point.speed_up; });
  const double ideal = std::min<double>(chart.x_high, result.log.cores);
  ChartSeries line{
      "ideal, as far as there are cores", colour_of(chart.series.size()), true, false, {{0, 0}, {ideal, ideal}}};
  if (chart.x_high > ideal) line.points.emplace_back(chart.x_high, ideal);
  chart.series.push_back(line);
  return chart;
}

LineChart efficiency_chart(const ScalingResult& result) {
  LineChart chart = rank_chart(result, "parallel efficiency");
  mark_shared_cores(result, chart);
  add_series(result, chart, [](const ScalingPoint& point) { return point.efficiency; });
  return chart;
}

StackedChart time_chart(const ScalingResult& result) {
  StackedChart chart;
  chart.y_label = "fraction of the event loop's wall time, mean over the ranks";
  chart.parts = {"computing", "exchange", "waiting"};
  chart.y_high = 1;
  for (const ScalingSeries& series : scaling_series(result.study, result.points)) {
    for (const ScalingPoint* point : series.points) {
      if (point->cell.ranks == 1) continue;
      chart.bars.push_back(std::to_string(point->cell.ranks) + (point->oversubscribed ? "*" : ""));
      chart.groups.push_back(series.label);
      chart.values.push_back({point->compute_share, point->exchange_share, point->waiting_share});
    }
  }
  return chart;
}

LineChart prediction_chart(const ScalingResult& result) {
  LineChart chart;
  chart.x_label = "ranks, a core each";
  chart.y_label = "predicted efficiency";
  chart.log_x = true;
  chart.x_low = 1;
  chart.x_high = 2;
  for (std::size_t ix = 0; ix < result.predictions.size(); ++ix) {
    const Prediction& prediction = result.predictions[ix];
    ChartSeries line{prediction.network + ", " + prediction.protocol, colour_of(ix), false, false, {}};
    line.markers = true;
    for (const PredictedPoint& point : prediction.points) {
      chart.x_high = std::max(chart.x_high, static_cast<double>(point.work.ranks));
      line.points.emplace_back(point.work.ranks, point.efficiency);
    }
    chart.series.push_back(std::move(line));
  }
  double measured = chart.x_high;
  for (const Prediction& prediction : result.predictions) {
    for (const PredictedPoint& point : prediction.points) {
      if (point.extrapolated) measured = std::min(measured, static_cast<double>(point.work.ranks));
    }
  }
  if (measured < chart.x_high) chart.bands.push_back({measured, chart.x_high, "extrapolated"});
  return chart;
}

}  // namespace weft::tools
