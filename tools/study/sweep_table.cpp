// All points of a sweep in one table.
#include "tools/study/sweep_table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>

#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/text/csv.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/config/study_table.hpp"
#include "tools/study/sweep_published.hpp"
#include "tools/study/sweep_search.hpp"
#include "version.hpp"

namespace weft::tools::sweep {
namespace {

constexpr std::size_t most_lines = 200;
/// Characters of a value in a table for people.
constexpr std::size_t most_value = 48;
constexpr u64 sweep_format_version = 1;

template <class Value>
std::vector<Value> column_of(const SweepTable& table, Value (*value)(const SweepPoint&, const PointState&)) {
  std::vector<Value> column;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) column.push_back(value(table.points[ix], table.states[ix]));
  return column;
}

void write_setting(files::Hdf5Writer& file, const SweepTable& table, const std::string& key, std::size_t ix) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const SweepPoint& point : table.points) {
    numbers.push_back(number_of(point.values[ix]));
    texts.push_back(plain_value(point.values[ix]));
  }
  const bool numeric = std::none_of(numbers.begin(), numbers.end(), [](double value) { return std::isnan(value); });
  const std::string unit = unit_of_key(key);
  if (numeric) {
    file.column("/settings/" + key, numbers, unit);
  } else {
    file.column("/settings/" + key, texts, unit);
  }
}

/// /saturation: a row for each curve of a search.
void write_saturation(files::Hdf5Writer& file, const SweepTable& table) {
  const std::vector<Saturation> rows = saturations(table);
  if (rows.empty()) return;
  const std::vector<std::string> keys = table.study.keys();
  const std::vector<std::size_t> naming = curve_keys(table.study);
  for (std::size_t name = 0; name < naming.size(); ++name) {
    std::vector<std::string> texts;
    for (const Saturation& row : rows) texts.push_back(plain_value(row.values[name]));
    file.column("/saturation/" + keys[naming[name]], texts, unit_of_key(keys[naming[name]]));
  }
  std::vector<double> low, high, accepted;
  for (const Saturation& row : rows) {
    low.push_back(row.low);
    high.push_back(row.high);
    accepted.push_back(row.accepted);
  }
  const std::string unit = unit_of_key(table.study.search->key);
  file.column("/saturation/low", low, unit);
  file.column("/saturation/high", high, unit);
  file.column("/saturation/accepted_most", accepted, load_unit);
  for (const TableColumn& column : table.curve_columns)
    file.column("/saturation/" + column.name, column.values, column.unit);
}

/// /published: a row for each published point.
void write_published(files::Hdf5Writer& file, const SweepTable& table) {
  const std::vector<PublishedPoint> points = published_points(table);
  if (points.empty()) return;
  std::vector<std::string> figure, label, over, source;
  std::vector<double> x, published, simulated;
  for (const PublishedPoint& point : points) {
    const PublishedCurve& curve = table.study.published[point.curve];
    figure.push_back(curve.figure);
    label.push_back(published_label(curve));
    over.push_back(curve.over);
    source.push_back(curve.source);
    x.push_back(point.x);
    published.push_back(point.published);
    simulated.push_back(point.simulated);
  }
  const auto column = [&file](const char* name, const auto& values) {
    file.column(std::string("/published/") + name, values, "");
  };
  column("figure", figure);
  column("label", label);
  column("over", over);
  column("x", x);
  column("published", published);
  column("simulated", simulated);
  column("source", source);
}

/// Figures of the terminal table that at least one point has.
std::vector<std::size_t> shown_figures(const SweepTable& table) {
  std::vector<std::size_t> shown;
  for (const char* name :
       {"load_accepted", "latency_mean", "latency_p99", "completion_cycles", "burst_mean_cycles", "cycles"}) {
    const std::size_t ix = figure_ix(name);
    const bool any = std::any_of(table.states.begin(), table.states.end(),
                                 [ix](const PointState& state) { return std::isfinite(state.figure(ix)); });
    if (any) shown.push_back(ix);
  }
  return shown;
}

/// "0 to 7, 9 and 12": indices in order, as runs, no more than a line of them.
std::string index_list(const std::vector<std::size_t>& points) {
  constexpr std::size_t most_parts = 20;
  std::vector<std::string> parts;
  for (std::size_t at = 0, next = 0; at < points.size(); at = next) {
    while (next < points.size() && points[next] == points[at] + (next - at)) ++next;
    parts.push_back(next - at > 2 ? fmt::format("{} to {}", points[at], points[next - 1])
                                  : fmt::format("{}", fmt::join(points.begin() + at, points.begin() + next, ", ")));
  }
  const std::size_t left_out = parts.size() > most_parts ? parts.size() - most_parts : 0;
  parts.resize(parts.size() - left_out);
  return fmt::format("{}{}", fmt::join(parts, ", "), left_out > 0 ? "..." : "");
}

/// Which points these are, and the settings that all of them have in common.
std::string described(const SweepTable& table, const std::vector<std::size_t>& points) {
  const std::vector<std::string> keys = table.study.keys();
  std::vector<std::string> common;
  for (const std::size_t key : table.study.telling_keys()) {
    const std::string& value = table.points[points[0]].values[key];
    const bool same = std::all_of(points.begin(), points.end(),
                                  [&](std::size_t ix) { return table.points[ix].values[key] == value; });
    if (same) common.push_back(keys[key] + "=" + value);
  }
  return fmt::format("points {}{}{}", index_list(points), common.empty() ? "" : "; all with ", fmt::join(common, ", "));
}

}  // namespace

std::string plain_value(const std::string& value) {
  return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
}

double number_of(const std::string& value) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (value.empty() || value.find_first_not_of("0123456789.+-eE_") != std::string::npos) return none;
  try {
    std::size_t used = 0;
    const double number = std::stod(value, &used);
    return used == value.size() ? number : none;
  } catch (const std::exception&) {
    return none;
  }
}

u32 SweepTable::count(PointStatus status) const {
  return static_cast<u32>(std::count_if(states.begin(), states.end(),
                                        [status](const PointState& state) { return state.status == status; }));
}

void write_sweep_hdf5(const SweepTable& table, const std::string& path) {
  files::Hdf5Writer file(path);
  file.attribute("/", "format", "weft-sweep");
  file.attribute("/", "format_version", sweep_format_version);
  file.attribute("/", "version", version);
  file.attribute("/", "name", table.study.name);
  file.attribute("/", "study", table.study.text);
  file.attribute("/", "base", frozen_toml(table.study.config));
  const std::vector<std::string> keys = table.study.keys();
  for (std::size_t ix = 0; ix < keys.size(); ++ix) write_setting(file, table, keys[ix], ix);
  using P = const SweepPoint&;
  using S = const PointState&;
  file.column("/points/index", column_of<u64>(table, [](P point, S) -> u64 { return point.index; }), "");
  file.column("/points/name", column_of<std::string>(table, [](P point, S) { return point.name; }), "");
  file.column("/points/status", column_of<std::string>(table, [](P, S state) { return status_name(state.status); }),
              "");
  file.column("/points/digest", column_of<std::string>(table, [](P, S state) { return state.digest; }), "");
  for (std::size_t figure = 0; figure < sweep_figures().size(); ++figure) {
    std::vector<double> values;
    for (const PointState& state : table.states) {
      values.push_back(state.figure(figure));
    }
    file.column("/points/" + sweep_figures()[figure].name, values, sweep_figures()[figure].unit);
  }
  for (const TableColumn& column : table.columns) file.column("/points/" + column.name, column.values, column.unit);
  write_saturation(file, table);
  write_published(file, table);
  file.save();
}

std::string sweep_csv(const SweepTable& table) {
  CsvText text;
  for (const char* name : {"index", "name", "status"}) text.cell(name);
  for (const std::string& key : table.study.keys()) text.cell(key);
  for (const SweepFigure& figure : sweep_figures()) text.cell(figure.name);
  for (const TableColumn& column : table.columns) text.cell(column.name);
  text.cell("digest");
  text.end_row();
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    text.cell(table.points[ix].index);
    text.cell(table.points[ix].name);
    text.cell(status_name(state.status));
    for (const std::string& value : table.points[ix].values) text.cell(plain_value(value));
    for (std::size_t figure = 0; figure < sweep_figures().size(); ++figure) {
      text.cell(state.figure(figure));
    }
    for (const TableColumn& column : table.columns) text.cell(column.values[ix]);
    text.cell(state.digest);
    text.end_row();
  }
  return text.take();
}

std::string saturation_csv(const SweepTable& table) {
  CsvText text;
  const std::vector<std::string> keys = table.study.keys();
  for (const std::size_t key : curve_keys(table.study)) text.cell(keys[key]);
  for (const char* name : {"low", "high", "accepted_most"}) text.cell(name);
  for (const TableColumn& column : table.curve_columns) text.cell(column.name);
  text.end_row();
  const std::vector<Saturation> rows = saturations(table);
  for (std::size_t ix = 0; ix < rows.size(); ++ix) {
    for (const std::string& value : rows[ix].values) text.cell(plain_value(value));
    text.cell(rows[ix].low);
    text.cell(rows[ix].high);
    text.cell(rows[ix].accepted);
    for (const TableColumn& column : table.curve_columns) text.cell(column.values[ix]);
    text.end_row();
  }
  return text.take();
}

std::string sweep_text(const SweepTable& table) {
  const std::vector<std::size_t> figures = shown_figures(table);
  std::vector<std::vector<std::string>> lines{{"point"}};
  const std::vector<std::string> keys = table.study.keys();
  const std::vector<std::size_t> telling = table.study.telling_keys();
  for (const std::size_t key : telling) lines[0].push_back(keys[key].substr(keys[key].find('.') + 1));
  lines[0].emplace_back("state");
  for (const std::size_t figure : figures) lines[0].emplace_back(sweep_figures()[figure].name);
  for (const TableColumn& column : table.columns) lines[0].push_back(column.name);
  lines[0].emplace_back("digest");
  for (std::size_t ix = 0; ix < std::min(table.points.size(), most_lines); ++ix) {
    const PointState& state = table.states[ix];
    std::vector<std::string> line{std::to_string(table.points[ix].index)};
    for (const std::size_t key : telling) line.push_back(shown(plain_value(table.points[ix].values[key]), most_value));
    line.push_back(state_name(state));
    for (const std::size_t figure : figures) {
      const bool there = std::isfinite(state.figure(figure));
      line.push_back(there ? significant(state.figures[figure]) : "-");
    }
    for (const TableColumn& column : table.columns)
      line.push_back(std::isfinite(column.values[ix]) ? significant(column.values[ix]) : "-");
    line.push_back(state.digest.empty() ? "-" : state.digest.substr(0, 8));
    lines.push_back(std::move(line));
  }
  std::string text = aligned(lines);
  if (table.points.size() > most_lines) text += "and " + grouped(table.points.size() - most_lines) + " more\n";
  return text;
}

std::string sweep_counts(const SweepTable& table) {
  std::string text =
      fmt::format("{} {}: {} done", grouped(table.points.size()), table.points.size() == 1 ? "point" : "points",
                  grouped(table.count(PointStatus::done)));
  for (const PointStatus status : {PointStatus::failed, PointStatus::stopped, PointStatus::missing}) {
    const auto points = std::ranges::count_if(
        table.states, [status](const PointState& state) { return state.status == status && !is_queued(state); });
    if (points > 0) text += fmt::format(", {} {}", grouped(static_cast<u64>(points)), status_name(status));
  }
  const auto queued = std::ranges::count_if(table.states, is_queued);
  if (queued > 0) text += fmt::format(", {} queued or running", grouped(static_cast<u64>(queued)));
  const auto add = [&](bool (*is)(const PointState&), const char* what) {
    const auto points = std::ranges::count_if(table.states, is);
    if (points > 0)
      text += fmt::format(", {} {} {}", grouped(static_cast<u64>(points)), points == 1 ? "point" : "points", what);
  };
  add(not_converged, "not converged");
  add(is_saturated, "saturated");
  return text;
}

std::string sweep_gaps(const SweepTable& table) {
  // Points that share a reason say it once.
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;
  std::map<std::string, std::size_t> known;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    if (state.status == PointStatus::done) continue;
    std::string reason = is_queued(state) ? fmt::format("not finished: queued or running as job {} of SLURM", state.job)
                                          : status_name(state.status);
    if (state.status == PointStatus::failed) reason += fmt::format(" with exit code {}", state.exit_code);
    const std::string first_line = error_line(state.error);
    if (!first_line.empty()) reason += ": " + first_line;
    const auto [place, is_new] = known.emplace(reason, reasons.size());
    if (is_new) reasons.push_back({reason, {}});
    reasons[place->second].second.push_back(ix);
  }
  std::string text;
  for (std::size_t at = 0; at < std::min(reasons.size(), most_lines); ++at) {
    const auto& [reason, points] = reasons[at];
    text +=
        points.size() == 1
            ? fmt::format("point {} ({}): {}\n", points[0], point_text(table.study, table.points[points[0]]), reason)
            : fmt::format("{} points: {}\n  {}\n", grouped(points.size()), reason, described(table, points));
  }
  if (reasons.size() > most_lines) text += fmt::format("and {} more reasons\n", grouped(reasons.size() - most_lines));
  return text;
}

}  // namespace weft::tools::sweep
