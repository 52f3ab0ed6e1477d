// The page of a sweep; charts and style are those of the report of runs.
#include "tools/study/sweep_page.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tools/config/settings.hpp"
#include "tools/result/format.hpp"
#include "tools/result/report_style.hpp"
#include "tools/result/svg_chart.hpp"

namespace weft::tools {
namespace {

constexpr const char* load_key = "workload.offered_load";
constexpr const char* seed_key = "simulation.seed";
/// Latencies beyond this multiple of the least one say no more than that the network is saturated.
constexpr double latency_span = 12;

/// A curve: mean over seeds by x.
struct Curve {
  std::string label;
  std::map<double, std::pair<double, u32>> sums;  ///< x -> sum, number of values
};

/// The setting that charts have as x, as index into the keys; none: the number of keys.
std::size_t x_key(const SweepTable& table, const std::vector<std::string>& keys) {
  std::size_t best = keys.size(), most = 1;
  for (std::size_t ix = 0; ix < keys.size(); ++ix) {
    std::set<double> values;
    for (const SweepPoint& point : table.points) values.insert(number_of(point.values[ix]));
    const bool numeric = std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (!numeric || keys[ix] == seed_key) continue;
    if (keys[ix] == load_key && values.size() > 1) return ix;
    if (values.size() > most) {
      best = ix;
      most = values.size();
    }
  }
  return best;
}

std::vector<Curve> curves_of(const SweepTable& table, const std::vector<std::string>& keys, std::size_t x,
                             std::size_t figure) {
  std::vector<Curve> curves;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    if (state.figures.empty() || !std::isfinite(state.figures[figure])) continue;
    std::string label;
    for (std::size_t key = 0; key < keys.size(); ++key) {
      if (key == x || keys[key] == seed_key) continue;
      label += (label.empty() ? "" : ", ") + keys[key].substr(keys[key].find('.') + 1) + " = " +
               table.points[ix].values[key];
    }
    if (label.empty()) label = sweep_figures()[figure].name;
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const Curve& one) { return one.label == label; });
    if (curve == curves.end()) curve = curves.insert(curves.end(), Curve{label, {}});
    auto& [sum, count] = curve->sums[number_of(table.points[ix].values[x])];
    sum += state.figures[figure];
    ++count;
  }
  return curves;
}

/// The curve up to where it crosses `cap`.
std::vector<std::pair<double, double>> points_below(const Curve& curve, double cap) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [x, sum] : curve.sums) {
    const double y = sum.first / sum.second;
    if (y > cap) {
      if (!points.empty()) {
        const auto [x0, y0] = points.back();
        points.emplace_back(x0 + (x - x0) * (cap - y0) / (y - y0), cap);
      }
      break;
    }
    points.emplace_back(x, y);
  }
  return points;
}

struct ChartWish {
  std::string title, figure, y_label;
  bool capped = false;    ///< cut curves at latency_span times the least value
  bool diagonal = false;  ///< accepted = offered
};

std::string chart_of(const SweepTable& table, const std::vector<std::string>& keys, std::size_t x,
                     const ChartWish& wish) {
  const std::vector<Curve> curves = curves_of(table, keys, x, figure_ix(wish.figure));
  if (curves.empty()) return {};
  double low = INFINITY, high = -INFINITY, least = INFINITY, most = 0;
  for (const Curve& curve : curves) {
    for (const auto& [at, sum] : curve.sums) {
      low = std::min(low, at);
      high = std::max(high, at);
      const double y = sum.first / sum.second;
      if (y > 0) least = std::min(least, y);
      most = std::max(most, y);
    }
  }
  const bool cut = wish.capped && most > latency_span * least;
  const double cap = cut ? latency_span * least : INFINITY;
  std::string out = "<div><h3>" + escaped(wish.title) + "</h3>\n";
  for (std::size_t first = 0; first < curves.size(); first += series_colours) {
    LineChart chart;
    const std::string unit = find_setting(keys[x])->unit;
    chart.x_label = keys[x] + (unit.empty() ? "" : ", " + unit);
    chart.y_label = wish.y_label + (cut ? " (cut at " + significant(cap, 2) + ")" : "");
    chart.x_low = std::min(low, 0.0) < 0 || low > 0.5 * high ? low : 0;
    chart.x_high = high;
    chart.y_high = cut ? cap : most;
    for (std::size_t ix = first; ix < std::min<std::size_t>(curves.size(), first + series_colours); ++ix) {
      chart.series.push_back(
          {curves[ix].label, static_cast<u32>(ix - first), false, false, points_below(curves[ix], cap)});
    }
    if (wish.diagonal) {
      chart.series.push_back({"accepted = offered", 7, true, false, {{chart.x_low, chart.x_low}, {most, most}}});
    }
    out += line_chart(chart);
  }
  return out + "</div>\n";
}

std::string charts(const SweepTable& table) {
  const std::vector<std::string> keys = table.study.keys();
  const std::size_t x = x_key(table, keys);
  if (x == keys.size()) return "<p class=\"soft\">No numeric setting with several values: nothing to draw over.</p>\n";
  std::string out;
  const std::string completion = chart_of(table, keys, x, {"Completion", "completion_cycles", "cycles", false, false});
  const std::string bursts = chart_of(table, keys, x, {"Bursts", "burst_mean_cycles", "mean cycles", false, false});
  out += completion + bursts;
  if (completion.empty() && bursts.empty()) {
    const bool over_load = keys[x] == load_key;
    out += chart_of(table, keys, x, {"Accepted load", "load_accepted", "phits/node/cycle", false, over_load});
  }
  out += chart_of(table, keys, x, {"Mean latency", "latency_mean", "cycles from generation", true, false});
  out +=
      chart_of(table, keys, x, {"Latency of the slowest 1 %", "latency_p99", "cycles, 99th percentile", true, false});
  return "<div class=\"card grid\">\n" + out + "</div>\n";
}

std::string points_table(const SweepTable& table) {
  std::string out = "<div class=\"card scroll\"><table>\n<tr><th>point</th>";
  for (const std::string& key : table.study.keys()) out += "<th>" + escaped(key) + "</th>";
  out += "<th>state</th>";
  for (const SweepFigure& figure : sweep_figures()) {
    out += std::string("<th>") + figure.name + (*figure.unit != '\0' ? std::string(", ") + figure.unit : "") + "</th>";
  }
  out += "<th>digest</th></tr>\n";
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    out += "<tr><td>" + std::to_string(ix) + "</td>";
    for (const std::string& value : table.points[ix].values) out += "<td>" + escaped(value) + "</td>";
    out += "<td>" + status_name(state.status) + "</td>";
    for (std::size_t figure = 0; figure < sweep_figures().size(); ++figure) {
      const bool there = !state.figures.empty() && std::isfinite(state.figures[figure]);
      out += "<td>" + (there ? significant(state.figures[figure]) : "") + "</td>";
    }
    out += "<td><code>" + state.digest.substr(0, 16) + "</code></td></tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string sweep_page(const SweepTable& table) {
  const std::string title = "weft sweep " + table.study.name;
  std::string out = page_begin(title, report_style) + "<h1>" + escaped(title) + "</h1>\n" +
                    paragraph(sweep_counts(table) + "; curves are means over seeds", "soft");
  const std::string gaps = sweep_gaps(table);
  if (!gaps.empty())
    out += "<details class=\"warning\"><summary>Not all points are there</summary><pre>" + escaped(gaps) +
           "</pre></details>\n";
  out += "<h2>Curves</h2>\n" + charts(table) + "<h2>Points</h2>\n" + points_table(table);
  out += "<details><summary>Study</summary><pre>" + escaped(table.study.text) + "</pre></details>\n";
  return out + page_end();
}

}  // namespace weft::tools
