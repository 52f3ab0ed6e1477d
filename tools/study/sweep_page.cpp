// Curves and points of a sweep; see the header.
#include "tools/study/sweep_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <set>

#include "engine/base/text/shown.hpp"
#include "tools/report/study_curves.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/study/sweep_published.hpp"
#include "tools/study/sweep_search.hpp"

namespace weft::tools::sweep {
namespace {

using page::Json;

constexpr const char* load_key = "workload.offered_load";

/// Figures of the curves, in this order, with the figure that has half of the confidence interval of a single run.
struct SweepLook {
  const char* figure;
  const char* half_width;
  StudyLook look;
};
const std::vector<SweepLook>& looks() {
  static const std::vector<SweepLook> all{
      {"completion_cycles", "", {"Completion", "completion of the last task", "time", "", false, false}},
      {"burst_mean_cycles", "", {"Bursts", "mean duration of a burst", "time", "", false, false}},
      {"exchange_share", "", {"Exchange", "share of a link's bandwidth", "share", "", false, false}},
      {"load_accepted", "load_accepted_ci95", {"Accepted load", "accepted load", "load", "", false, true}},
      {"latency_mean", "latency_mean_ci95", {"Mean latency", "latency from generation", "time", "", true, false}},
      {"latency_p99", "", {"Latency of the slowest 1 %", "99th percentile of latency", "time", "", true, false}},
  };
  return all;
}

double figure_of(const PointState& state, const std::string& name) {
  return name.empty() ? std::nan("") : state.figure(figure_ix(name));
}

/// The page's numbers for the lengths of a cycle and a phit at each point, [point].
std::vector<u32> clocks_of(page::Page& page, const SweepTable& table) {
  std::vector<u32> clocks;
  const auto known = [](double value) { return std::isfinite(value) ? value : 0; };
  for (const PointState& state : table.states)
    clocks.push_back(page.clock(known(figure_of(state, "cycle_ns")), known(figure_of(state, "phit_bytes"))));
  return clocks;
}

/// What tells curves apart: the columns that people need, without those of `left_out`.
std::vector<std::size_t> telling_without(const SweepStudy& study, const std::vector<std::string>& left_out) {
  const std::vector<std::string> keys = study.keys();
  std::vector<std::size_t> telling = study.telling_keys();
  std::erase_if(telling, [&](std::size_t ix) { return std::ranges::find(left_out, keys[ix]) != left_out.end(); });
  return telling;
}

/// Curves of some figures. Of points that differ in keys of `same_over` alone, which the figures do not depend on, the
/// first is enough.
StudyCurves curves_of_points(const SweepTable& table, const std::vector<u32>& clocks,
                             const std::vector<std::string>& same_over,
                             const std::function<std::vector<StudyFigure>(std::size_t)>& figures) {
  std::vector<StudySetting> settings;
  const std::vector<std::string> keys = table.study.keys();
  const std::vector<std::size_t> telling = telling_without(table.study, same_over);
  for (const std::size_t ix : telling) {
    std::string label = keys[ix].substr(keys[ix].find('.') + 1);
    std::ranges::replace(label, '_', ' ');
    settings.push_back({keys[ix], label, keys[ix] == load_key ? "load" : unit_of_key(keys[ix])});
  }
  std::vector<StudyRun> runs;
  std::set<std::vector<std::string>> seen;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    std::vector<std::string> values;
    for (const std::size_t key : telling) values.push_back(table.points[ix].values[key]);
    if (!seen.insert(values).second) continue;
    StudyRun run{fmt::format("point {}", table.points[ix].index), std::move(values), figures(ix), 0, clocks[ix]};
    run.marks = static_cast<u8>((is_saturated(state) ? 1 : 0) | (not_converged(state) ? 2 : 0));
    runs.push_back(std::move(run));
  }
  return {std::move(settings), std::move(runs), load_key};
}

StudyCurves curves_of_sweep(const SweepTable& table, const std::vector<u32>& clocks) {
  return curves_of_points(table, clocks, {}, [&](std::size_t ix) {
    std::vector<StudyFigure> figures;
    for (const SweepLook& one : looks())
      figures.push_back({figure_of(table.states[ix], one.figure), figure_of(table.states[ix], one.half_width)});
    return figures;
  });
}

std::string quantity_of(const std::string& unit) {
  return unit == "cycles" ? "time" : unit == load_unit ? "load" : unit == "s" ? "seconds" : "";
}

/// Adds what others have published of a figure to its curves.
void add_published(Json& spec, const SweepTable& table, const std::vector<std::size_t>& telling,
                   const StudyCurves& curves, const std::string& figure) {
  const std::vector<std::string> keys = table.study.keys();
  for (const PublishedCurve& curve : table.study.published) {
    if (curve.figure != figure || !curves.has_x() || curve.over != curves.x_key()) continue;
    std::vector<std::string> values;
    for (const std::size_t key : telling) values.push_back(curve.at.contains(keys[key]) ? curve.at.at(keys[key]) : "");
    const std::string label = published_label(curve);
    Json notes = Json::array();
    for (std::size_t at = 0; at < curve.x.size(); ++at) notes.push_back(curve.source);
    Json one = {{"label", (label.empty() ? figure : label) + ", published"},
                {"x", curve.x},
                {"y", curve.y},
                {"notes", notes},
                {"draw", "crosses"}};
    const std::string like =
        curves.curves() == 1 ? spec["series"][0]["label"].get<std::string>() : curves.label_with(values);
    if (!like.empty()) one["like"] = like;
    spec["series"].push_back(std::move(one));
  }
}

/// Figures of columns that the study derives of others.
void add_derived(page::Page& page, const SweepTable& table, const std::vector<u32>& clocks) {
  for (const DerivedColumn& spec : table.study.columns) {
    const auto column =
        std::ranges::find_if(table.columns, [&](const TableColumn& one) { return one.name == spec.name; });
    if (column == table.columns.end()) continue;
    const StudyCurves curves = curves_of_points(table, clocks, spec.same_over, [&](std::size_t ix) {
      return std::vector<StudyFigure>{{column->values[ix], std::nan("")}};
    });
    const std::string quantity = quantity_of(column->unit);
    std::string title = spec.name;
    std::ranges::replace(title, '_', ' ');
    const StudyLook look{title, title, quantity, "", false, false};
    Json figure = curves.has_x() ? curves.over_x(0, look) : curves.bars(0, look);
    if (figure.is_null()) continue;
    if (quantity.empty()) figure["y"]["unit"] = column->unit;
    add_published(figure, table, telling_without(table.study, spec.same_over), curves, spec.name);
    page.figure(std::move(figure));
  }
}

/// What others have published, beside the sweep's own.
void add_published_table(page::Page& page, const SweepTable& table) {
  const std::vector<PublishedPoint> points = published_points(table);
  if (points.empty()) return;
  page.section("published", "Beside what others have published");
  Json columns = Json::array(), rows = Json::array();
  for (const char* label : {"figure", "of"}) columns.push_back({{"label", label}, {"text", true}});
  for (const char* label : {"x", "published", "simulated"}) columns.push_back({{"label", label}});
  columns.push_back({{"label", "difference"}, {"quantity", "share"}});
  columns.push_back({{"label", "source"}, {"text", true}});
  for (const PublishedPoint& point : points) {
    const PublishedCurve& curve = table.study.published[point.curve];
    rows.push_back({curve.figure, shown(published_label(curve)), page::cell(point.x), page::cell(point.published),
                    page::cell(point.simulated), page::cell(point.difference()), shown(curve.source)});
  }
  page.figure({{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}});
}

Json column_head(const std::string& name, const std::string& unit) {
  const std::string quantity = quantity_of(unit);
  if (!quantity.empty()) return {{"label", name}, {"quantity", quantity}};
  return {{"label", name + (unit.empty() ? "" : ", " + unit)}};
}

Json points_table(const SweepTable& table, const std::vector<u32>& clocks) {
  Json columns = Json::array({{{"label", "point"}}}), rows = Json::array();
  for (const std::string& key : table.study.keys()) columns.push_back({{"label", key}});
  columns.push_back({{"label", "state"}, {"text", true}});
  std::vector<std::size_t> figures;
  for (std::size_t ix = 0; ix < sweep_figures().size(); ++ix) {
    const bool any =
        std::ranges::any_of(table.states, [ix](const PointState& state) { return std::isfinite(state.figure(ix)); });
    if (!any) continue;
    figures.push_back(ix);
    columns.push_back(column_head(sweep_figures()[ix].name, sweep_figures()[ix].unit));
  }
  for (const TableColumn& column : table.columns) columns.push_back(column_head(column.name, column.unit));
  columns.push_back({{"label", "digest"}, {"text", true}, {"code", true}});
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    Json row = Json::array({table.points[ix].index});
    for (const std::string& value : table.points[ix].values) {
      const double number = study_number(value);
      row.push_back(std::isfinite(number) ? Json(number) : Json(shown(plain_value(value))));
    }
    const std::string status = status_name(state.status);
    const std::string marks = state_name(state).substr(status.size());
    row.push_back(marks.empty() ? Json(status) : Json{{"value", status + marks}, {"mark", "!"}});
    for (const std::size_t figure : figures) row.push_back(page::cell(state.figure(figure), 0, clocks[ix]));
    for (const TableColumn& column : table.columns) row.push_back(page::cell(column.values[ix], 0, clocks[ix]));
    row.push_back(state.digest.substr(0, 16));
    rows.push_back(std::move(row));
  }
  return {{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}};
}

/// Where the curves of a search saturate.
Json saturation_table(const SweepTable& table, const std::vector<u32>& clocks) {
  Json columns = Json::array(), rows = Json::array();
  const std::vector<std::string> keys = table.study.keys();
  for (const std::size_t key : curve_keys(table.study))
    columns.push_back({{"label", keys[key].substr(keys[key].find('.') + 1)}, {"text", true}});
  const std::string quantity = table.study.search->key == load_key ? "load" : "";
  for (const char* label : {"accepted up to", "saturated from"})
    columns.push_back({{"label", label}, {"quantity", quantity}});
  columns.push_back({{"label", "most accepted"}, {"quantity", "load"}});
  for (const TableColumn& column : table.curve_columns) columns.push_back(column_head(column.name, column.unit));
  const std::vector<Saturation> curves = saturations(table);
  for (std::size_t ix = 0; ix < curves.size(); ++ix) {
    const Saturation& one = curves[ix];
    Json row = Json::array();
    for (const std::string& value : one.values) row.push_back(shown(plain_value(value)));
    const u32 clock = clocks[one.points.front()];
    for (const double value : {one.low, one.high, one.accepted}) row.push_back(page::cell(value, 0, clock));
    for (const TableColumn& column : table.curve_columns) row.push_back(page::cell(column.values[ix], 0, clock));
    rows.push_back(std::move(row));
  }
  return {{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}};
}

}  // namespace

void add_sweep(page::Page& page, const SweepTable& table) {
  const std::vector<u32> clocks = clocks_of(page, table);
  if (std::ranges::any_of(table.states, is_saturated)) {
    page.note(
        "Saturated: at least 5 % of the offered load was not taken. Such figures are of the cycles that the table of "
        "points says; with workload.source_queue = \"bounded\" their latency is bounded by NICs that are full, with "
        "\"unbounded\" it grows with the run.");
  }
  const StudyCurves curves = curves_of_sweep(table, clocks);
  if (!curves.has_x()) page.note("No setting with several numbers: bars in place of curves.");
  const bool over_load = curves.has_x() && curves.x_key() == load_key;
  const bool whole = std::ranges::any_of(
      table.states, [](const PointState& s) { return std::isfinite(figure_of(s, "completion_cycles")); });
  for (std::size_t ix = 0; ix < looks().size(); ++ix) {
    StudyLook look = looks()[ix].look;
    if (whole && look.quantity == "load") continue;
    look.diagonal = look.diagonal && over_load;
    Json spec = curves.has_x() ? curves.over_x(ix, look) : curves.bars(ix, look);
    if (spec.is_null()) continue;
    add_published(spec, table, table.study.telling_keys(), curves, looks()[ix].figure);
    page.figure(std::move(spec));
  }
  add_derived(page, table, clocks);
  add_published_table(page, table);
  if (table.study.search) {
    page.section("saturation", "Where each network saturates");
    page.figure(saturation_table(table, clocks));
  }
  page.section("points", "Points");
  page.figure(points_table(table, clocks));
  page.section("study", "Study", true);
  page.figure({{"kind", "text"}, {"text", table.study.text}, {"wide", true}});
}

std::string sweep_page(const SweepTable& table) {
  page::Page page("weft sweep " + table.study.name);
  page.lead(sweep_counts(table) + "; curves are means over seeds");
  const std::string gaps = sweep_gaps(table);
  if (!gaps.empty()) {
    page.section("gaps", "Not all points are there");
    page.figure({{"kind", "text"}, {"text", gaps}, {"wide", true}});
  }
  page.section("curves", "Curves");
  add_sweep(page, table);
  return page.html();
}

}  // namespace weft::tools::sweep
