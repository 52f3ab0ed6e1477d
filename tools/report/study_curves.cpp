// Chooses what is drawn over what, and draws it; see the header.
#include "tools/report/study_curves.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"
#include "engine/base/text/numbers.hpp"

namespace weft::tools {
namespace {

using page::Json;

/// Settings that may change with the one that is drawn over.
constexpr std::size_t most_followers = 3;
constexpr const char* seed_setting = "simulation.seed";

/// A TOML or JSON text without its quotation marks.
std::string unquoted(const std::string& value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"' ? value.substr(1, value.size() - 2) : value;
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json axis_of(const StudyLook& look) {
  return {{"label", look.label}, {"quantity", look.quantity}, {"capped", look.capped}};
}

}  // namespace

double study_number(const std::string& text) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || text.find_first_not_of("0123456789.+-eE_") != std::string::npos) return nothing;
  std::string digits = text;
  std::erase(digits, '_');
  try {
    std::size_t used = 0;
    const double number = std::stod(digits, &used);
    return used == digits.size() && std::isfinite(number) ? number : nothing;
  } catch (const std::exception&) {
    return nothing;
  }
}

StudyCurves::StudyCurves(std::vector<StudySetting> settings, std::vector<StudyRun> runs, const std::string& x_first)
    : settings_(std::move(settings)), runs_(std::move(runs)) {
  x_ = choose_x(x_first);
  for (std::size_t key = 0; x_ != none && key < settings_.size(); ++key) {
    if (key != x_ && settings_[key].key != seed_setting && follows(key)) with_x_.push_back(key);
  }
  choose_labels();
  if (x_ == none) return;
  gather();
  // Runs that have little in common are no curve: each would be one of its own, or all differ in too much.
  const bool single = std::ranges::all_of(series_, [](const Series& series) { return series.points.size() < 2; });
  if (single || (with_x_.size() > most_followers && settings_[x_].key != x_first)) x_ = none;
}

std::size_t StudyCurves::choose_x(const std::string& first) const {
  std::size_t best = none, most = 1;
  for (std::size_t key = 0; key < settings_.size(); ++key) {
    if (!settings_[key].may_be_x || settings_[key].key == seed_setting) continue;
    std::set<std::string> values;
    for (const StudyRun& run : runs_) values.insert(run.values[key]);
    if (values.size() < 2 ||
        std::any_of(values.begin(), values.end(), [](const auto& text) { return std::isnan(study_number(text)); }))
      continue;
    if (settings_[key].key == first) return key;
    if (values.size() > most) best = key, most = values.size();
  }
  return best;
}

/// Whether a value of x never goes with two of the other setting.
bool StudyCurves::follows(std::size_t other) const {
  std::map<double, std::string> seen;
  std::set<std::string> values;
  for (const StudyRun& run : runs_) {
    const double x = study_number(run.values[x_]);
    if (seen.emplace(x, run.values[other]).first->second != run.values[other]) return false;
    values.insert(run.values[other]);
  }
  return values.size() > 1;
}

/// As few settings as tell all curves apart, in their order: of the config alone, or with the names of networks and
/// routers first where those say it in fewer words.
void StudyCurves::choose_labels() {
  const auto groups_by = [this](const std::vector<std::size_t>& keys) {
    std::set<std::vector<std::string>> groups;
    for (const StudyRun& run : runs_) {
      std::vector<std::string> group;
      for (const std::size_t key : keys) group.push_back(run.values[key]);
      groups.insert(group);
    }
    return groups.size();
  };
  std::vector<std::size_t> names, keys;
  for (std::size_t key = 0; key < settings_.size(); ++key) {
    const bool of_x = key == x_ || std::count(with_x_.begin(), with_x_.end(), key) > 0;
    if (of_x || settings_[key].key == seed_setting) continue;
    (settings_[key].may_be_x ? keys : names).push_back(key);
  }
  const auto chosen_of = [&](const std::vector<std::size_t>& all, std::size_t apart) {
    std::vector<std::size_t> chosen;
    for (const std::size_t key : all) {
      if (groups_by(chosen) == apart) break;
      std::vector<std::size_t> more = chosen;
      more.push_back(key);
      if (groups_by(more) > groups_by(chosen)) chosen = std::move(more);
    }
    return chosen;
  };
  std::vector<std::size_t> all = names;
  all.insert(all.end(), keys.begin(), keys.end());
  const std::size_t apart = groups_by(all);
  labels_ = chosen_of(all, apart);
  const std::vector<std::size_t> plain = chosen_of(keys, apart);
  if (groups_by(plain) == apart && plain.size() <= labels_.size()) labels_ = plain;
}

std::string StudyCurves::label_of(const StudyRun& run) const {
  std::string label;
  for (const std::size_t key : labels_) {
    const std::string value = unquoted(run.values[key]);
    if (!label.empty()) label += ", ";
    label += std::isnan(study_number(value)) ? value : settings_[key].label + " " + value;
  }
  return label;
}

std::string StudyCurves::label_with(const std::vector<std::string>& values) const {
  std::set<std::string> labels;
  for (const StudyRun& run : runs_) {
    const bool fits = std::ranges::equal(
        values, run.values, [](const auto& wanted, const auto& has) { return wanted.empty() || wanted == has; });
    if (fits) labels.insert(label_of(run));
  }
  return labels.size() == 1 ? *labels.begin() : "";
}

void StudyCurves::gather() {
  std::map<std::string, std::size_t> known;
  for (std::size_t ix = 0; ix < runs_.size(); ++ix) {
    const StudyRun& run = runs_[ix];
    const std::string label = label_of(run);
    const auto [place, is_new] = known.emplace(label, series_.size());
    if (is_new) series_.push_back({label, {}, run.clock});
    std::vector<Point>& points = series_[place->second].points;
    const double x = study_number(run.values[x_]);
    const auto at = std::lower_bound(points.begin(), points.end(), x, [](const Point& p, double v) { return p.x < v; });
    if (at != points.end() && at->x == x) {
      at->runs.push_back(ix);
    } else {
      points.insert(at, {x, {ix}});
    }
  }
}

StudyCurves::Mean StudyCurves::mean(const Point& point, std::size_t figure) const {
  Mean mean;
  std::vector<double> values;
  for (const std::size_t ix : point.runs) {
    const StudyFigure& one = runs_[ix].figures[figure];
    mean.marks |= runs_[ix].marks;
    if (!std::isfinite(one.value)) continue;
    values.push_back(one.value);
    mean.figure = one;
  }
  if (values.size() > 1) mean.figure = {stats::mean_of(values), stats::half_width95(values)};
  mean.note = point.runs.size() == 1 ? runs_[point.runs[0]].name : fmt::format("mean of {} runs", point.runs.size());
  return mean;
}

bool StudyCurves::any(std::size_t figure) const {
  return std::any_of(runs_.begin(), runs_.end(),
                     [figure](const StudyRun& run) { return std::isfinite(run.figures[figure].value); });
}

Json StudyCurves::x_axis() const {
  const StudySetting& setting = settings_[x_];
  std::string label = setting.label;
  for (const std::size_t key : with_x_)
    label += (key == with_x_.front() ? " (with it " : ", ") + settings_[key].label + (key == with_x_.back() ? ")" : "");
  const bool known = setting.unit == "load" || setting.unit == "time";
  Json axis = {{"label", label}};
  axis[known ? "quantity" : "unit"] = setting.unit;
  return axis;
}

Json StudyCurves::over_x(std::size_t figure, const StudyLook& look) const {
  if (!any(figure)) return nullptr;
  Json spec = {{"kind", "curves"}, {"title", look.title}, {"caption", look.caption},
               {"x", x_axis()},    {"y", axis_of(look)},  {"series", Json::array()}};
  double most = 0, least = 0;
  bool first = true;
  for (const Series& series : series_) {
    Json x = Json::array(), y = x, low = x, high = x, marks = x, notes = x;
    bool bands = false;
    for (const Point& point : series.points) {
      const Mean m = mean(point, figure);
      if (!std::isfinite(m.figure.value)) continue;
      bands = bands || m.figure.half_width > 0;
      least = first ? point.x : std::min(least, point.x);
      first = false;
      most = std::max(most, point.x);
      x.push_back(point.x);
      y.push_back(m.figure.value);
      low.push_back(finite_or_null(m.figure.value - m.figure.half_width));
      high.push_back(finite_or_null(m.figure.value + m.figure.half_width));
      marks.push_back(m.marks);
      notes.push_back(m.note);
    }
    if (x.empty()) continue;
    Json one = {{"label", series.label.empty() ? look.label : series.label},
                {"x", x},
                {"y", y},
                {"marks", marks},
                {"notes", notes},
                {"clock", series.clock}};
    if (bands) one["low"] = low, one["high"] = high;
    spec["series"].push_back(one);
  }
  if (look.diagonal && most > 0) {
    spec["series"].push_back(
        {{"label", "accepted = offered"}, {"reference", true}, {"x", {0, most}}, {"y", {0, most}}});
  }
  return spec;
}

Json StudyCurves::over_figure(std::size_t x_figure, const StudyLook& x_look, std::size_t y_figure,
                              const StudyLook& y_look) const {
  if (!any(x_figure) || !any(y_figure)) return nullptr;
  Json spec = {{"kind", "curves"},     {"title", y_look.title}, {"caption", y_look.caption},
               {"x", axis_of(x_look)}, {"y", axis_of(y_look)},  {"series", Json::array()}};
  for (const Series& series : series_) {
    Json x = Json::array(), y = x, marks = x, notes = x;
    for (const Point& point : series.points) {
      const Mean mx = mean(point, x_figure), my = mean(point, y_figure);
      if (!std::isfinite(mx.figure.value) || !std::isfinite(my.figure.value)) continue;
      x.push_back(mx.figure.value);
      y.push_back(my.figure.value);
      marks.push_back(my.marks);
      notes.push_back(fmt::format("{} {}; {}", settings_[x_].label, significant(point.x), my.note));
    }
    if (x.empty()) continue;
    spec["series"].push_back({{"label", series.label.empty() ? y_look.label : series.label},
                              {"x", x},
                              {"y", y},
                              {"marks", marks},
                              {"notes", notes},
                              {"clock", series.clock},
                              {"draw", "path"}});
  }
  return spec;
}

Json StudyCurves::bars(std::size_t figure, const StudyLook& look) const {
  if (!any(figure)) return nullptr;
  Json names = Json::array(), y = names, low = names, high = names, marks = names;
  bool bands = false;
  std::set<u32> clocks;
  for (const StudyRun& run : runs_) {
    const StudyFigure& one = run.figures[figure];
    names.push_back(run.name);
    y.push_back(finite_or_null(one.value));
    low.push_back(finite_or_null(one.value - one.half_width));
    high.push_back(finite_or_null(one.value + one.half_width));
    bands = bands || one.half_width > 0;
    marks.push_back(run.marks);
    clocks.insert(run.clock);
  }
  Json one = {{"label", look.label}, {"y", y}, {"marks", marks}, {"draw", "bars"}, {"clock", runs_[0].clock}};
  if (bands) one["low"] = low, one["high"] = high;
  Json axis = axis_of(look);
  // Bars of one axis that stand for cycles of different length would be told in one unit.
  if (clocks.size() > 1 && (look.quantity == "time" || look.quantity == "load")) {
    axis.erase("quantity");
    axis["unit"] = look.quantity == "time" ? "cycles" : "phits/node/cycle";
  }
  return {{"kind", "curves"},
          {"title", look.title},
          {"caption", look.caption},
          {"own", true},
          {"x", {{"label", "run"}, {"names", names}}},
          {"y", axis},
          {"series", Json::array({one})}};
}

}  // namespace weft::tools
