// Reads published points and finds what the sweep has there; see the header.
#include "tools/study/sweep_published.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/study/read_columns.hpp"

namespace weft::tools::sweep {
namespace {

using checks::is_one_of;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A number, or a list of them.
std::vector<double> numbers_at(const StudyTable& table, const std::string& key) {
  if (table.node(key).is_number()) return {table.real(key)};
  std::vector<double> numbers;
  for (const toml::node& one : table.list(key)) {
    const double number = one.is_number() ? one.value<double>().value_or(not_known) : not_known;
    if (!std::isfinite(number)) table.fail(key, fmt::format("has something that is no number; write {} = [1, 2]", key));
    numbers.push_back(number);
  }
  return numbers;
}

PublishedCurve read_curve(const StudyTable& table, const SweepStudy& study) {
  table.allow_only({"figure", "at", "over", "x", "y", "label", "source"});
  PublishedCurve curve;
  static_cast<void>(table.node("figure"));
  static_cast<void>(table.node("source"));
  curve.figure = table.text("figure", "");
  curve.source = table.text("source", "");
  curve.label = table.text("label", "");
  std::vector<std::string> figures;
  for (const DerivedColumn& column : study.columns) {
    if (!column.of_curves) figures.push_back(column.name);
  }
  for (const SweepFigure& figure : sweep_figures()) figures.emplace_back(figure.name);
  if (!is_one_of(curve.figure, figures)) {
    table.fail("figure", fmt::format("= \"{}\" is no figure of points; did you mean {}?", shown(curve.figure),
                                     nearest(curve.figure, figures)));
  }
  if (table.has("at")) curve.at = read_place(table, "at", study);
  curve.y = numbers_at(table, "y");
  if (!table.has("x")) {
    if (table.has("over")) table.fail("over", "without x (it is the key of x); add x, or leave it out");
    if (curve.y.size() != 1) table.fail("y", "has several numbers, but there is no x; add x = [...]");
    curve.x = {not_known};
    return curve;
  }
  curve.x = numbers_at(table, "x");
  if (curve.x.size() != curve.y.size())
    table.fail("y", fmt::format("has {} numbers, x {}; give as many", curve.y.size(), curve.x.size()));
  curve.over = table.text("over", study.search ? study.search->key : "workload.offered_load");
  const std::vector<std::string> known = telling_names(study);
  if (!is_one_of(curve.over, known)) {
    table.fail(table.has("over") ? "over" : "x", fmt::format("is over {}, which tells no points apart; did you mean "
                                                             "over = \"{}\"?",
                                                             curve.over, nearest(curve.over, known)));
  }
  return curve;
}

std::vector<double> values_of(const SweepTable& table, const std::string& figure) {
  for (const TableColumn& column : table.columns) {
    if (column.name == figure) return column.values;
  }
  std::vector<double> values;
  for (const PointState& state : table.states) values.push_back(state.figure(figure_ix(figure)));
  return values;
}

/// The sweep's own curve, by x: means over the points that match.
std::map<double, double> simulated_curve(const SweepTable& table, const PublishedCurve& curve) {
  const std::vector<std::string> keys = table.study.keys();
  const std::vector<double> values = values_of(table, curve.figure);
  std::map<double, std::pair<double, u32>> sums;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    double x = 0;
    bool matches = std::isfinite(values[ix]);
    for (std::size_t key = 0; key < keys.size() && matches; ++key) {
      const std::string& value = table.points[ix].values[key];
      const auto wanted = curve.at.find(keys[key]);
      matches = wanted == curve.at.end() || same_value(wanted->second, value);
      if (keys[key] == curve.over) x = number_of(value);
    }
    if (!matches || std::isnan(x)) continue;
    auto& [sum, count] = sums[x];
    sum += values[ix];
    ++count;
  }
  std::map<double, double> means;
  for (const auto& [x, of] : sums) means[x] = of.first / of.second;
  return means;
}

double value_at(const std::map<double, double>& curve, double x) {
  constexpr double rounding = 1e-9;
  if (curve.empty()) return not_known;
  if (std::isnan(x)) return curve.begin()->second;
  const auto above = curve.lower_bound(x - rounding * std::abs(x));
  if (above == curve.end()) return not_known;
  if (above->first <= x + rounding * std::abs(x)) return above->second;
  if (above == curve.begin()) return not_known;
  const auto below = std::prev(above);
  return std::lerp(below->second, above->second, (x - below->first) / (above->first - below->first));
}

}  // namespace

void read_published(const StudyTable& sweep, SweepStudy& study) {
  for (const toml::table* one : sweep.tables("published"))
    study.published.push_back(read_curve(StudyTable(*one, "[sweep.published]", study.path), study));
}

std::vector<PublishedPoint> published_points(const SweepTable& table) {
  std::vector<PublishedPoint> points;
  for (std::size_t ix = 0; ix < table.study.published.size(); ++ix) {
    const PublishedCurve& curve = table.study.published[ix];
    const std::map<double, double> simulated = simulated_curve(table, curve);
    for (std::size_t at = 0; at < curve.y.size(); ++at)
      points.push_back({ix, curve.x[at], curve.y[at], value_at(simulated, curve.x[at])});
  }
  return points;
}

std::string published_label(const PublishedCurve& curve) {
  if (!curve.label.empty()) return curve.label;
  std::string label;
  for (const auto& [key, value] : curve.at) {
    const std::string name = key.substr(key.find('.') + 1);
    label += (label.empty() ? "" : ", ") + (std::isnan(number_of(value)) ? "" : name + " ") + plain_value(value);
  }
  return label;
}

std::string published_text(const SweepTable& table) {
  const std::vector<PublishedPoint> points = published_points(table);
  if (points.empty()) return {};
  TextTable lines{{"figure", "of", "x", "published", "simulated", "difference"}};
  for (const PublishedPoint& point : points) {
    const PublishedCurve& curve = table.study.published[point.curve];
    const bool known = std::isfinite(point.simulated);
    const double percents = 100 * point.difference();
    lines.push_back({curve.figure, published_label(curve), std::isnan(point.x) ? "-" : fmt::format("{:.6g}", point.x),
                     significant(point.published), known ? significant(point.simulated) : "-",
                     known && std::isfinite(percents) ? fmt::format("{:+.1f} %", percents) : "-"});
  }
  return aligned(lines);
}

}  // namespace weft::tools::sweep
