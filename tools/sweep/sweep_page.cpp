// The page of a sweep; charts and style are those of the report of runs.
#include "tools/sweep/sweep_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engine/shown.hpp"
#include "tools/config/settings.hpp"
#include "tools/result/report_style.hpp"
#include "tools/result/svg_chart.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools::sweep {
namespace {

constexpr const char* load_key = "workload.offered_load";
/// Latencies beyond this multiple of the least one say no more than that the network is saturated.
constexpr double latency_span = 12;

/// Curves with more points than this need no dots to be seen.
constexpr std::size_t most_dots = 40;

/// A curve: mean over seeds by x.
struct Curve {
  std::string label;
  std::map<double, std::pair<double, u32>> sums;  ///< x -> sum, number of values

  [[nodiscard]] std::vector<std::pair<double, double>> points() const {
    std::vector<std::pair<double, double>> all;
    for (const auto& [x, sum] : sums) all.emplace_back(x, sum.first / sum.second);
    return all;
  }
};

/// What the settings are in the charts, as indices into the keys of the study.
struct Roles {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t x = none;
  std::vector<std::size_t> with_x;  ///< change with x, as settings of one axis do: a value of x says theirs
  std::vector<std::size_t> curves;  ///< each choice of these is a curve
};

std::set<std::string> values_of(const SweepTable& table, std::size_t key) {
  std::set<std::string> values;
  for (const SweepPoint& point : table.points) values.insert(point.values[key]);
  return values;
}

/// The setting to draw over: the load if it is swept, else the numeric one with most values.
std::size_t x_key(const SweepTable& table, const std::vector<std::string>& keys) {
  std::size_t best = Roles::none, most = 1;
  for (std::size_t ix = 0; ix < keys.size(); ++ix) {
    const std::set<std::string> values = values_of(table, ix);
    const bool numeric = std::none_of(values.begin(), values.end(),
                                      [](const std::string& value) { return std::isnan(number_of(value)); });
    if (!numeric || keys[ix] == seed_key) continue;
    if (keys[ix] == load_key && values.size() > 1) return ix;
    if (values.size() > most) {
      best = ix;
      most = values.size();
    }
  }
  return best;
}

/// Whether the two are of one axis, and one value of `x` never goes with two of `other`.
bool follows(const SweepTable& table, const std::vector<std::string>& keys, std::size_t x, std::size_t other) {
  const auto& axes = table.study.axes;
  const bool one_axis = std::any_of(axes.begin(), axes.end(), [&](const SweepAxis& axis) {
    const auto has = [&](const std::string& key) { return std::count(axis.keys.begin(), axis.keys.end(), key) > 0; };
    return has(keys[x]) && has(keys[other]);
  });
  std::map<std::string, std::string> seen;
  return one_axis && std::all_of(table.points.begin(), table.points.end(), [&](const SweepPoint& point) {
           return seen.emplace(point.values[x], point.values[other]).first->second == point.values[other];
         });
}

Roles roles_of(const SweepTable& table, const std::vector<std::string>& keys) {
  Roles roles;
  roles.x = x_key(table, keys);
  if (roles.x == Roles::none) return roles;
  for (const std::size_t key : table.study.telling_keys()) {
    if (key == roles.x || keys[key] == seed_key || values_of(table, key).size() == 1) continue;
    (follows(table, keys, roles.x, key) ? roles.with_x : roles.curves).push_back(key);
  }
  return roles;
}

std::string short_name(const std::string& key) { return key.substr(key.find('.') + 1); }

std::vector<Curve> curves_of(const SweepTable& table, const std::vector<std::string>& keys, const Roles& roles,
                             std::size_t figure) {
  std::vector<Curve> curves;
  std::map<std::string, std::size_t> known;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    if (state.figures.empty() || !std::isfinite(state.figures[figure])) continue;
    std::string label;
    for (const std::size_t key : roles.curves) {
      label += fmt::format("{}{} = {}", label.empty() ? "" : ", ", short_name(keys[key]), table.points[ix].values[key]);
    }
    if (label.empty()) label = sweep_figures()[figure].name;
    const auto [place, is_new] = known.emplace(label, curves.size());
    if (is_new) curves.push_back({label, {}});
    auto& [sum, count] = curves[place->second].sums[number_of(table.points[ix].values[roles.x])];
    sum += state.figures[figure];
    ++count;
  }
  return curves;
}

/// What all charts of a figure have in common: their ranges, and how they hold values of very different size.
struct Ranges {
  double x_low = INFINITY, x_high = -INFINITY, least = INFINITY, most = 0;
  bool cut = false;    ///< the axis ends below the largest value: curves leave the chart
  bool log_y = false;  ///< logarithmic, since an axis that ends there would leave less than a line of some curve
};

Ranges ranges_of(const std::vector<Curve>& curves, bool capped) {
  Ranges r;
  for (const Curve& curve : curves) {
    for (const auto& [x, y] : curve.points()) {
      r.x_low = std::min(r.x_low, x);
      r.x_high = std::max(r.x_high, x);
      r.most = std::max(r.most, y);
      if (y > 0) r.least = std::min(r.least, y);
    }
  }
  const double cap = round_axis_end(latency_span * r.least);
  if (!capped || !(r.most > cap)) return r;
  r.log_y = std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
    const auto points = curve.points();
    const auto seen =
        std::count_if(points.begin(), points.end(), [&](const auto& point) { return point.second <= cap; });
    return static_cast<std::size_t>(seen) < std::min<std::size_t>(2, points.size());
  });
  r.cut = !r.log_y;
  if (r.cut) r.most = cap;
  return r;
}

struct ChartWish {
  std::string title, figure, y_label;
  bool capped = false;    ///< values far above the least one need not be seen
  bool diagonal = false;  ///< accepted = offered
};

std::string x_label(const std::vector<std::string>& keys, const Roles& roles) {
  const std::string unit = unit_of_key(keys[roles.x]);
  std::string label = keys[roles.x] + (unit.empty() ? "" : ", " + unit);
  for (const std::size_t key : roles.with_x) {
    label += (key == roles.with_x.front() ? "; with it " : ", ") + short_name(keys[key]);
  }
  return label;
}

std::string chart_of(const SweepTable& table, const std::vector<std::string>& keys, const Roles& roles,
                     const ChartWish& wish) {
  const std::vector<Curve> curves = curves_of(table, keys, roles, figure_ix(wish.figure));
  if (curves.empty()) return {};
  const Ranges ranges = ranges_of(curves, wish.capped);
  const std::size_t most_curves = series_colours - (wish.diagonal ? 1 : 0);
  std::string out = fmt::format("<div><h3>{}</h3>\n", escaped(wish.title));
  for (std::size_t first = 0; first < curves.size(); first += most_curves) {
    const std::size_t last = std::min(curves.size(), first + most_curves);
    LineChart chart;
    chart.x_label = x_label(keys, roles);
    chart.y_label =
        wish.y_label + (ranges.cut ? fmt::format(" (up to {}; higher values are left out)", significant(ranges.most, 2))
                        : ranges.log_y ? ", logarithmic"
                                       : "");
    chart.x_low = ranges.x_low < 0 || ranges.x_low > 0.5 * ranges.x_high ? ranges.x_low : 0;
    chart.x_high = ranges.x_high;
    chart.y_high = ranges.most;
    chart.clip = ranges.cut;
    chart.log_y = ranges.log_y;
    for (std::size_t ix = first; ix < last; ++ix) {
      chart.series.push_back({curves[ix].label, static_cast<u32>(ix - first), false, false, curves[ix].points(),
                              curves[ix].sums.size() <= most_dots});
    }
    if (wish.diagonal) {
      chart.series.push_back(
          {"accepted = offered", 7, true, false, {{chart.x_low, chart.x_low}, {ranges.most, ranges.most}}});
    }
    if (curves.size() > most_curves) {
      const std::string which =
          last - first == 1 ? fmt::format("Curve {}", last) : fmt::format("Curves {} to {}", first + 1, last);
      out += fmt::format("<p class=\"soft\">{} of {}</p>\n", which, curves.size());
    }
    out += line_chart(chart);
  }
  return out + "</div>\n";
}

std::string charts(const SweepTable& table) {
  const std::vector<std::string> keys = table.study.keys();
  const Roles roles = roles_of(table, keys);
  if (roles.x == Roles::none) {
    return "<p class=\"soft\">No numeric setting with several values: nothing to draw over.</p>\n";
  }
  const auto chart = [&](const ChartWish& wish) { return chart_of(table, keys, roles, wish); };
  std::string out = chart({"Completion", "completion_cycles", "cycles", false, false}) +
                    chart({"Bursts", "burst_mean_cycles", "mean cycles", false, false});
  if (out.empty()) {
    out = chart({"Accepted load", "load_accepted", "phits/node/cycle", false, keys[roles.x] == load_key});
  }
  out += chart({"Mean latency", "latency_mean", "cycles from generation", true, false});
  out += chart({"Latency of the slowest 1 %", "latency_p99", "cycles, 99th percentile", true, false});
  return "<div class=\"card grid\">\n" + out + "</div>\n";
}

std::string points_table(const SweepTable& table) {
  std::string out = "<div class=\"card scroll\"><table>\n<tr><th>point</th>";
  for (const std::string& key : table.study.keys()) out += "<th>" + escaped(key) + "</th>";
  out += "<th>state</th>";
  for (const SweepFigure& figure : sweep_figures()) {
    out += fmt::format("<th>{}{}{}</th>", figure.name, *figure.unit != '\0' ? ", " : "", figure.unit);
  }
  out += "<th>digest</th></tr>\n";
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    out += fmt::format("<tr><td>{}</td>", ix);
    for (const std::string& value : table.points[ix].values) out += fmt::format("<td>{}</td>", escaped(shown(value)));
    out += fmt::format("<td>{}</td>", state_name(state));
    for (std::size_t figure = 0; figure < sweep_figures().size(); ++figure) {
      const bool there = !state.figures.empty() && std::isfinite(state.figures[figure]);
      out += fmt::format("<td>{}</td>", there ? significant(state.figures[figure]) : "");
    }
    out += fmt::format("<td><code>{}</code></td></tr>\n", state.digest.substr(0, 16));
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string sweep_page(const SweepTable& table) {
  const std::string title = "weft sweep " + table.study.name;
  std::string out = page_begin(title, report_style) + "<h1>" + escaped(title) + "</h1>\n" +
                    paragraph(sweep_counts(table) + "; curves are means over seeds", "soft");
  if (std::ranges::any_of(table.states, is_saturated)) {
    out += paragraph(
        "Saturated: at least 5 % of the offered load was not taken. Such figures are of the cycles that the table "
        "below "
        "says; with workload.source_queue = \"bounded\" their latency is bounded by NICs that are full, with "
        "\"unbounded\" it grows with the run.",
        "soft");
  }
  const std::string gaps = sweep_gaps(table);
  if (!gaps.empty())
    out += "<details class=\"warning\"><summary>Not all points are there</summary><pre>" + escaped(gaps) +
           "</pre></details>\n";
  out += "<h2>Curves</h2>\n" + charts(table) + "<h2>Points</h2>\n" + points_table(table);
  out += "<details><summary>Study</summary><pre>" + escaped(table.study.text) + "</pre></details>\n";
  return out + page_end();
}

}  // namespace weft::tools::sweep
