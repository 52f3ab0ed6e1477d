// Curves and points of a sweep; see the header.
#include "tools/sweep/sweep_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/shown.hpp"
#include "tools/config/settings.hpp"
#include "tools/result/study_curves.hpp"
#include "tools/sweep/sweep_search.hpp"

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
  return state.figures.empty() || name.empty() ? std::nan("") : state.figures[figure_ix(name)];
}

StudyCurves curves_of_sweep(const SweepTable& table, u32 clock) {
  std::vector<StudySetting> settings;
  const std::vector<std::string> keys = table.study.keys();
  const std::vector<std::size_t> telling = table.study.telling_keys();
  for (const std::size_t ix : telling) {
    std::string label = keys[ix].substr(keys[ix].find('.') + 1);
    std::ranges::replace(label, '_', ' ');
    settings.push_back({keys[ix], label, keys[ix] == load_key ? "load" : unit_of_key(keys[ix])});
  }
  std::vector<StudyRun> runs;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    std::vector<std::string> values;
    for (const std::size_t key : telling) values.push_back(table.points[ix].values[key]);
    StudyRun run{fmt::format("point {}", table.points[ix].index), std::move(values), {}, 0, clock};
    run.marks = static_cast<u8>((is_saturated(state) ? 1 : 0) | (not_converged(state) ? 2 : 0));
    for (const SweepLook& one : looks())
      run.figures.push_back({figure_of(state, one.figure), figure_of(state, one.half_width)});
    runs.push_back(std::move(run));
  }
  return {std::move(settings), std::move(runs), load_key};
}

/// A text as TOML without its quotation marks.
std::string without_quotes(const std::string& value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"' ? value.substr(1, value.size() - 2) : value;
}

Json points_table(const SweepTable& table, u32 clock) {
  Json columns = Json::array({{{"label", "point"}}}), rows = Json::array();
  for (const std::string& key : table.study.keys()) columns.push_back({{"label", key}});
  columns.push_back({{"label", "state"}, {"text", true}});
  std::vector<std::size_t> figures;
  for (std::size_t ix = 0; ix < sweep_figures().size(); ++ix) {
    const bool any = std::ranges::any_of(table.states, [ix](const PointState& state) {
      return !state.figures.empty() && std::isfinite(state.figures[ix]);
    });
    if (!any) continue;
    figures.push_back(ix);
    const std::string unit = sweep_figures()[ix].unit;
    Json column = {{"label", sweep_figures()[ix].name}};
    if (unit == "cycles") column["quantity"] = "time";
    if (unit == "phits/node/cycle") column["quantity"] = "load";
    if (unit == "s") column["quantity"] = "seconds";
    columns.push_back(column);
  }
  columns.push_back({{"label", "digest"}, {"text", true}, {"code", true}});
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const PointState& state = table.states[ix];
    Json row = Json::array({table.points[ix].index});
    for (const std::string& value : table.points[ix].values) {
      const double number = study_number(value);
      row.push_back(std::isfinite(number) ? Json(number) : Json(shown(without_quotes(value))));
    }
    const std::string status = status_name(state.status);
    const std::string marks = state_name(state).substr(status.size());
    row.push_back(marks.empty() ? Json(status) : Json{{"value", status + marks}, {"mark", "!"}});
    for (const std::size_t figure : figures)
      row.push_back(state.figures.empty() ? Json(nullptr) : page::cell(state.figures[figure]));
    row.push_back(state.digest.substr(0, 16));
    rows.push_back(std::move(row));
  }
  return {{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}, {"clock", clock}};
}

/// Where the curves of a search saturate.
Json saturation_table(const SweepTable& table, u32 clock) {
  Json columns = Json::array(), rows = Json::array();
  const std::vector<std::string> keys = table.study.keys();
  for (const std::size_t key : curve_keys(table.study))
    columns.push_back({{"label", keys[key].substr(keys[key].find('.') + 1)}, {"text", true}});
  const std::string quantity = table.study.search->key == load_key ? "load" : "";
  for (const char* label : {"accepted up to", "saturated from"})
    columns.push_back({{"label", label}, {"quantity", quantity}});
  columns.push_back({{"label", "most accepted"}, {"quantity", "load"}});
  for (const Saturation& one : saturations(table)) {
    Json row = Json::array();
    for (const std::string& value : one.values) row.push_back(shown(plain_value(value)));
    for (const double value : {one.low, one.high, one.accepted}) row.push_back(page::cell(value));
    rows.push_back(std::move(row));
  }
  return {{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}, {"clock", clock}};
}

}  // namespace

void add_sweep(page::Page& page, const SweepTable& table) {
  const u32 clock = page.clock(0, 0);
  if (std::ranges::any_of(table.states, is_saturated)) {
    page.note(
        "Saturated: at least 5 % of the offered load was not taken. Such figures are of the cycles that the table of "
        "points says; with workload.source_queue = \"bounded\" their latency is bounded by NICs that are full, with "
        "\"unbounded\" it grows with the run.");
  }
  const StudyCurves curves = curves_of_sweep(table, clock);
  if (!curves.has_x()) page.note("No setting with several numbers: bars in place of curves.");
  const bool over_load = curves.has_x() && curves.x_key() == load_key;
  const bool whole = std::ranges::any_of(
      table.states, [](const PointState& s) { return std::isfinite(figure_of(s, "completion_cycles")); });
  for (std::size_t ix = 0; ix < looks().size(); ++ix) {
    StudyLook look = looks()[ix].look;
    if (whole && look.quantity == "load") continue;
    look.diagonal = look.diagonal && over_load;
    Json spec = curves.has_x() ? curves.over_x(ix, look) : curves.bars(ix, look);
    if (!spec.is_null()) page.figure(std::move(spec));
  }
  if (table.study.search) {
    page.section("saturation", "Where each network saturates");
    page.figure(saturation_table(table, clock));
  }
  page.section("points", "Points");
  page.figure(points_table(table, clock));
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
