// Bisection for saturation, then points where curves are longest; see the header.
#include "tools/study/sweep_search.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/study/read_axes.hpp"

namespace weft::tools::sweep {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr u32 most_steps = 1'000'000;
/// Steps of the first round: both ends, and these parts of the range.
constexpr u32 first_parts = 4;

/// The place of the searched key in SweepStudy::keys().
std::size_t searched_key(const SweepStudy& study) {
  const std::vector<std::string> keys = study.keys();
  return static_cast<std::size_t>(std::ranges::find(keys, study.search->key) - keys.begin());
}

/// The points of one curve at one value, over seeds.
struct AtStep {
  u32 points = 0, done = 0, saturated = 0;
  double height = 0, accepted = 0;
};

/// What curves show over the searched key: completion where there is one, else latency.
double height_of(const PointState& state) {
  const double completion = state.figures[figure_ix("completion_cycles")];
  return std::isfinite(completion) ? completion : state.figures[figure_ix("latency_mean")];
}

struct SearchedCurve {
  std::vector<std::string> values;  ///< of curve_keys
  std::vector<std::string> all;     ///< of its first point, without the seed
  std::vector<std::size_t> points;  ///< places in the table
  std::map<u32, AtStep> steps;
};

std::vector<SearchedCurve> searched_curves(const SweepTable& table) {
  const SweepStudy& study = table.study;
  const std::size_t key = searched_key(study);
  const std::vector<std::size_t> naming = curve_keys(study);
  std::vector<SearchedCurve> curves;
  std::map<std::vector<std::string>, std::size_t> known;
  for (std::size_t ix = 0; ix < table.points.size(); ++ix) {
    const SweepPoint& point = table.points[ix];
    std::vector<std::string> values;
    for (const std::size_t name : naming) values.push_back(point.values[name]);
    const auto [place, is_new] = known.try_emplace(values, curves.size());
    if (is_new) {
      curves.push_back({values, point.values, {}, {}});
      if (study.repeat > 1) curves.back().all.pop_back();
    }
    curves[place->second].points.push_back(ix);
    AtStep& at = curves[place->second].steps[study.search->step_of(number_of(point.values[key]))];
    ++at.points;
    const PointState& state = table.states[ix];
    if (state.figures.empty()) continue;
    ++at.done;
    at.saturated += is_saturated(state) ? 1 : 0;
    at.height += height_of(state);
    at.accepted += state.figures[figure_ix("load_accepted")];
  }
  return curves;
}

bool is_saturated_at(const AtStep& at) { return 2 * at.saturated > at.done; }

/// Steps between which the saturation lies; `none` where nothing, or all, is saturated.
struct Bracket {
  static constexpr u32 none = ~0U;
  u32 low = none, high = none;
};

Bracket bracket_of(const std::vector<SearchedStep>& known) {
  Bracket bracket;
  for (const SearchedStep& at : known) {
    if (at.saturated) {
      bracket.high = at.step;
      break;
    }
    bracket.low = at.step;
  }
  return bracket;
}

std::vector<SearchedStep> known_steps(const SearchedCurve& curve) {
  std::vector<SearchedStep> known;
  for (const auto& [step, at] : curve.steps)
    known.push_back({step, is_saturated_at(at), std::log(std::max(1.0, at.height / at.done))});
  return known;
}

}  // namespace

double SweepSearch::value_of(u32 step) const { return step == last_step() ? to : from + step * precision; }

u32 SweepSearch::step_of(double value) const {
  return value >= to ? last_step() : static_cast<u32>(std::llround((value - from) / precision));
}

u32 SweepSearch::last_step() const { return static_cast<u32>(std::ceil((to - from) / precision - 1e-9)); }

std::string SweepSearch::text_of(u32 step) const {
  const double value = value_of(step);
  if (whole) return std::to_string(std::llround(value));
  return real_text(std::stod(fmt::format("{:.12g}", value)));
}

void read_search(const StudyTable& table, SweepStudy& study) {
  table.allow_only({"key", "from", "to", "precision", "points"});
  SweepSearch search;
  search.key = table.text("key", search.key);
  check_swept_key(search.key, table.place("key"));
  search.from = table.real("from");
  search.to = table.real("to");
  search.precision = table.real("precision");
  search.points = table.number("points", search.points, 2, 1000);
  search.whole =
      table.node("from").is_integer() && table.node("to").is_integer() && table.node("precision").is_integer();
  if (!(search.from < search.to)) table.fail("to", "is not above from; give a range to search, from the lower end");
  if (!(search.precision > 0) || !((search.to - search.from) / search.precision <= most_steps)) {
    table.fail("precision", fmt::format("is no step of the range that fits; give one above {:.3g}",
                                        (search.to - search.from) / most_steps));
  }
  for (const SweepAxis& axis : study.axes) {
    if (std::ranges::find(axis.keys, search.key) != axis.keys.end())
      table.fail("key", search.key + " has an axis too (the search chooses its values); remove that axis");
  }
  SweepAxis axis;
  axis.keys = {search.key};
  std::set<u32> first;
  for (u32 part = 0; part <= first_parts; ++part) {
    first.insert(static_cast<u32>((u64{search.last_step()} * part) / first_parts));
  }
  for (const u32 step : first) axis.rows.push_back({search.text_of(step)});
  study.axes.push_back(std::move(axis));
  study.search = search;
}

std::vector<u32> next_steps(const std::vector<SearchedStep>& known, u32 last, u32 points) {
  const Bracket bracket = bracket_of(known);
  if (bracket.low != Bracket::none && bracket.high != Bracket::none && bracket.high - bracket.low > 1)
    return {bracket.low + (bracket.high - bracket.low) / 2};
  if (known.size() >= points || known.size() < 2) return {};
  // The rest where the curve is longest, seen in a square: beyond saturation it says little, and is left as it is.
  double lowest = INFINITY, highest = -INFINITY;
  for (const SearchedStep& at : known) {
    if (!std::isfinite(at.height) || (bracket.low != Bracket::none && at.step > bracket.high)) continue;
    lowest = std::min(lowest, at.height);
    highest = std::max(highest, at.height);
  }
  const double span = highest > lowest ? highest - lowest : 1;
  std::vector<std::pair<double, u32>> pieces;  // length, step in its middle
  for (std::size_t ix = 0; ix + 1 < known.size(); ++ix) {
    const SearchedStep &a = known[ix], &b = known[ix + 1];
    if (b.step - a.step < 2 || (bracket.high != Bracket::none && a.step >= bracket.high)) continue;
    const double rise = std::isfinite(b.height - a.height) ? (b.height - a.height) / span : 0;
    const double length = std::hypot(static_cast<double>(b.step - a.step) / last, rise);
    pieces.emplace_back(length, a.step + (b.step - a.step) / 2);
  }
  std::ranges::sort(pieces, std::greater<>());
  // Half of what is missing at once: what they show decides about the others.
  const std::size_t wanted = std::max<std::size_t>(1, (points - known.size()) / 2);
  std::vector<u32> steps;
  for (const auto& [length, step] : pieces) {
    if (steps.size() < wanted) steps.push_back(step);
  }
  std::ranges::sort(steps);
  return steps;
}

std::vector<std::size_t> curve_keys(const SweepStudy& study) {
  const std::vector<std::string> keys = study.keys();
  std::vector<std::size_t> naming = study.telling_keys();
  std::erase_if(naming, [&](std::size_t ix) {
    return (study.search && keys[ix] == study.search->key) || (study.repeat > 1 && keys[ix] == seed_key);
  });
  return naming;
}

std::vector<std::vector<std::string>> searched_points(const SweepTable& table) {
  std::vector<std::vector<std::string>> added;
  if (!table.study.search) return added;
  const SweepSearch& search = *table.study.search;
  const std::size_t key = searched_key(table.study);
  for (const SearchedCurve& curve : searched_curves(table)) {
    const bool whole =
        std::ranges::all_of(curve.steps, [](const auto& at) { return at.second.done == at.second.points; });
    if (!whole) continue;
    for (const u32 step : next_steps(known_steps(curve), search.last_step(), search.points)) {
      added.push_back(curve.all);
      added.back()[key] = search.text_of(step);
    }
  }
  return added;
}

u64 points_to_come(const SweepStudy& study, u64 points) {
  if (!study.search) return 0;
  u64 curves = 1;
  for (const SweepAxis& axis : study.axes) {
    if (axis.keys.front() != study.search->key) curves *= axis.rows.size();
  }
  const u64 in_all = curves * study.repeat * study.search->points;
  return in_all > points ? in_all - points : 0;
}

std::vector<Saturation> saturations(const SweepTable& table) {
  std::vector<Saturation> rows;
  if (!table.study.search) return rows;
  const SweepSearch& search = *table.study.search;
  for (SearchedCurve& curve : searched_curves(table)) {
    std::erase_if(curve.steps, [](const auto& at) { return at.second.done == 0; });
    const Bracket bracket = bracket_of(known_steps(curve));
    Saturation row{curve.values, unknown, unknown, std::move(curve.points), unknown};
    if (bracket.low != Bracket::none) row.low = search.value_of(bracket.low);
    if (bracket.high != Bracket::none) row.high = search.value_of(bracket.high);
    for (const auto& [step, at] : curve.steps) row.accepted = std::fmax(row.accepted, at.accepted / at.done);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string saturation_text(const SweepTable& table) {
  if (!table.study.search) return {};
  const SweepSearch& search = *table.study.search;
  const std::vector<std::string> keys = table.study.keys();
  std::vector<std::vector<std::string>> lines{{}};
  for (const std::size_t key : curve_keys(table.study)) lines[0].push_back(keys[key].substr(keys[key].find('.') + 1));
  lines[0].push_back("saturation (" + search.key.substr(search.key.find('.') + 1) + ")");
  lines[0].emplace_back("most accepted");
  for (const TableColumn& column : table.curve_columns)
    lines[0].push_back(column.name + (column.unit.empty() ? "" : ", " + column.unit));
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  const std::vector<Saturation> rows = saturations(table);
  for (std::size_t ix = 0; ix < rows.size(); ++ix) {
    const Saturation& row = rows[ix];
    std::vector<std::string> line;
    for (const std::string& value : row.values) line.push_back(plain_value(value));
    if (std::isfinite(row.low) && std::isfinite(row.high)) {
      line.push_back(number(row.low) + " to " + number(row.high));
    } else if (std::isfinite(row.low)) {
      line.push_back("above " + number(row.low));
    } else {
      line.push_back(std::isfinite(row.high) ? "below " + number(row.high) : "-");
    }
    line.push_back(std::isfinite(row.accepted) ? significant(row.accepted) : "-");
    for (const TableColumn& column : table.curve_columns)
      line.push_back(std::isfinite(column.values[ix]) ? significant(column.values[ix]) : "-");
    lines.push_back(std::move(line));
  }
  return aligned(lines);
}

}  // namespace weft::tools::sweep
