// Works out columns that follow from others; see the header.
#include "tools/study/sweep_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/study/read_columns.hpp"
#include "tools/study/sweep_search.hpp"

namespace weft::tools::sweep {
namespace {

using checks::is_one_of;
using Kind = DerivedColumn::Kind;
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

const TableColumn& column_named(const std::vector<TableColumn>& columns, const std::string& name) {
  const auto found = std::ranges::find_if(columns, [&](const TableColumn& one) { return one.name == name; });
  if (found == columns.end()) throw Bug("column " + name + " is asked for but not in the table");
  return *found;
}

/// Rows that are the same but for some keys, each group by its values of the others.
std::map<std::vector<std::string>, std::vector<std::size_t>> groups_without(const ColumnRows& rows,
                                                                            const std::vector<std::string>& keys) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> groups;
  for (std::size_t row = 0; row < rows.values.size(); ++row) {
    std::vector<std::string> rest;
    for (std::size_t key = 0; key < rows.keys.size(); ++key) {
      if (!is_one_of(rows.keys[key], keys)) rest.push_back(rows.values[row][key]);
    }
    groups[rest].push_back(row);
  }
  return groups;
}

std::string unit_of_quotient(const std::string& a, const std::string& b) {
  if (b.empty() || a == b) return a == b ? "" : a;
  return (a.empty() ? "1" : a) + "/" + b;
}

/// How much each row counts in a mean or a sum.
std::vector<double> weights_of(const DerivedColumn& spec, const ColumnRows& rows) {
  std::vector<double> weights(rows.values.size(), 1.0);
  if (spec.weights.empty()) return weights;
  const auto key = static_cast<std::size_t>(std::ranges::find(rows.keys, spec.over.front()) - rows.keys.begin());
  for (std::size_t row = 0; row < weights.size(); ++row) {
    for (const auto& [value, weight] : spec.weights) {
      if (same_value(value, rows.values[row][key])) weights[row] = weight;
    }
  }
  return weights;
}

std::string unit_of_product(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "*" + b;
}

double combined(Kind kind, const std::vector<double>& values, const std::vector<double>& weights,
                const std::vector<std::size_t>& rows) {
  double result = kind == Kind::least ? INFINITY : kind == Kind::most ? -INFINITY : 0, all = 0;
  for (const std::size_t row : rows) {
    const double value = values[row];
    if (!std::isfinite(value)) return no_value;  // a sum over some of them would be another figure
    if (kind == Kind::least) result = std::min(result, value);
    if (kind == Kind::most) result = std::max(result, value);
    if (kind == Kind::mean || kind == Kind::sum) result += weights[row] * value;
    all += weights[row];
  }
  return kind == Kind::mean ? result / all : result;
}

void make_relative(const DerivedColumn& spec, const ColumnRows& rows, TableColumn& column) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : spec.to) keys.push_back(key);
  const std::vector<double> of = column.values;
  column.unit.clear();
  for (const auto& [rest, group] : groups_without(rows, keys)) {
    double reference = no_value;
    for (const std::size_t row : group) {
      bool is_it = true;
      for (std::size_t key = 0; key < rows.keys.size(); ++key) {
        const auto wanted = spec.to.find(rows.keys[key]);
        is_it = is_it && (wanted == spec.to.end() || same_value(wanted->second, rows.values[row][key]));
      }
      if (is_it) reference = of[row];
    }
    for (const std::size_t row : group) column.values[row] = of[row] / reference;
  }
}

/// The columns of networks that the study's tables have: the price where one is known, and what columns are made of.
std::vector<std::size_t> wanted_networks(const SweepStudy& study) {
  std::vector<std::size_t> wanted;
  for (std::size_t ix = 0; ix < network_figures().size(); ++ix) {
    const std::string name = network_figures()[ix].name;
    const bool used = std::ranges::any_of(
        study.columns, [&](const DerivedColumn& one) { return one.of.column == name || one.by.column == name; });
    if (used || (!study.cost.empty() && (name == "price" || name == "watts"))) wanted.push_back(ix);
  }
  return wanted;
}

/// `own` and the columns that are derived of them and of the rows.
std::vector<TableColumn> with_derived(const SweepStudy& study, bool of_curves, ColumnRows rows,
                                      std::vector<TableColumn> own) {
  rows.known.insert(rows.known.end(), own.begin(), own.end());
  for (const DerivedColumn& spec : study.columns) {
    if (spec.of_curves != of_curves) continue;
    own.push_back(derived(spec, rows));
    rows.known.push_back(own.back());
  }
  return own;
}

void add_curve_columns(SweepTable& table, const std::vector<TableColumn>& of_networks) {
  const std::vector<Saturation> curves = saturations(table);
  const std::vector<std::string> keys = table.study.keys();
  ColumnRows rows;
  for (const std::size_t key : curve_keys(table.study)) rows.keys.push_back(keys[key]);
  TableColumn low{"low", unit_of_key(table.study.search->key), {}}, high = low,
                                                                    accepted{"accepted_most", load_unit, {}};
  high.name = "high";
  std::vector<TableColumn> own = of_networks;
  for (TableColumn& column : own) column.values.clear();
  for (const Saturation& curve : curves) {
    rows.values.push_back(curve.values);
    low.values.push_back(curve.low);
    high.values.push_back(curve.high);
    accepted.values.push_back(curve.accepted);
    for (std::size_t ix = 0; ix < own.size(); ++ix) {
      // That of its points, if all are of one network.
      const std::vector<double>& of_points = of_networks[ix].values;
      const double value = of_points[curve.points.front()];
      const bool same = std::ranges::all_of(curve.points, [&](std::size_t at) { return of_points[at] == value; });
      own[ix].values.push_back(same ? value : no_value);
    }
  }
  rows.known = {low, high, accepted};
  table.curve_columns = with_derived(table.study, true, std::move(rows), std::move(own));
}

}  // namespace

TableColumn derived(const DerivedColumn& spec, const ColumnRows& rows) {
  TableColumn column{spec.name, "", std::vector<double>(rows.values.size(), spec.of.number)};
  const auto part = [&](const Operand& operand) {
    TableColumn number{"", "", std::vector<double>(rows.values.size(), operand.number)};
    return operand.column.empty() ? number : column_named(rows.known, operand.column);
  };
  const TableColumn of = part(spec.of);
  column.unit = of.unit;
  column.values = of.values;
  if (spec.kind == Kind::relative) {
    make_relative(spec, rows, column);
  } else if (spec.kind == Kind::quotient) {
    const TableColumn by = part(spec.by);
    column.unit = unit_of_quotient(of.unit, by.unit);
    for (std::size_t row = 0; row < column.values.size(); ++row) column.values[row] /= by.values[row];
  } else if (spec.kind == Kind::product) {
    const TableColumn by = part(spec.by);
    column.unit = unit_of_product(of.unit, by.unit);
    for (std::size_t row = 0; row < column.values.size(); ++row) column.values[row] *= by.values[row];
  } else {
    const std::vector<double> weights = weights_of(spec, rows);
    for (const auto& [rest, group] : groups_without(rows, spec.over)) {
      const double value = combined(spec.kind, of.values, weights, group);
      for (const std::size_t row : group) column.values[row] = value;
    }
  }
  for (double& value : column.values) value = std::isfinite(value) ? value : no_value;
  return column;
}

void add_columns(SweepTable& table, Networks& networks) {
  const SweepStudy& study = table.study;
  const std::vector<std::size_t> wanted = wanted_networks(study);
  std::vector<TableColumn> own;
  for (const std::size_t ix : wanted)
    own.push_back({network_figures()[ix].name, networks.unit_of(network_figures()[ix]), {}});
  for (std::size_t point = 0; point < table.points.size() && !own.empty(); ++point) {
    const std::optional<NetworkSize>& size = networks.of(study.config.with(table.points[point].settings));
    for (std::size_t ix = 0; ix < own.size(); ++ix)
      own[ix].values.push_back(size ? size->figures[wanted[ix]] : no_value);
  }
  if (study.search) add_curve_columns(table, own);
  ColumnRows rows;
  rows.keys = telling_names(study);
  for (const SweepPoint& point : table.points) {
    rows.values.emplace_back();
    for (const std::size_t key : study.telling_keys()) rows.values.back().push_back(point.values[key]);
  }
  for (std::size_t figure = 0; figure < sweep_figures().size(); ++figure) {
    TableColumn column{sweep_figures()[figure].name, sweep_figures()[figure].unit, {}};
    for (const PointState& state : table.states) column.values.push_back(state.figure(figure));
    rows.known.push_back(std::move(column));
  }
  table.columns = with_derived(study, false, std::move(rows), std::move(own));
}

}  // namespace weft::tools::sweep
