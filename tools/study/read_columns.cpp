// Reads [[sweep.column]]; see the header.
#include "tools/study/read_columns.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/study/sweep_networks.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {
namespace {

using checks::is_one_of;
using Kind = DerivedColumn::Kind;

struct KindName {
  const char* key;
  Kind kind;
};
constexpr KindName kind_names[] = {{"relative", Kind::relative}, {"mean", Kind::mean}, {"sum", Kind::sum},
                                   {"least", Kind::least},       {"most", Kind::most}, {"quotient", Kind::quotient},
                                   {"product", Kind::product}};

bool of_two(Kind kind) { return kind == Kind::quotient || kind == Kind::product; }

/// Columns of the table of a search's curves.
const std::vector<std::string>& curve_figures() {
  static const std::vector<std::string> names = {"low", "high", "accepted_most"};
  return names;
}

/// Reads columns one after the other: each may be made of those before it.
class ColumnReader {
 public:
  explicit ColumnReader(const SweepStudy& study) : study_(study) {
    for (const SweepFigure& figure : sweep_figures()) of_points_.emplace_back(figure.name);
    for (const NetworkFigure& figure : network_figures()) of_networks_.emplace_back(figure.name);
  }

  DerivedColumn read(const StudyTable& table) {
    table.allow_only(
        {"name", "relative", "to", "mean", "sum", "least", "most", "over", "weights", "quotient", "product"});
    DerivedColumn column;
    static_cast<void>(table.node("name"));
    column.name = table.text("name", "");
    check_name(table, column.name);
    const KindName named = kind_of(table);
    column.kind = named.kind;
    if (of_two(column.kind)) {
      const toml::array& parts = table.list(named.key);
      if (parts.size() != 2)
        table.fail(named.key, fmt::format("has two parts; write for example {} = [1, \"mean_time\"]", named.key));
      column.of = operand(table, named.key, *parts.get(0));
      column.by = operand(table, named.key, *parts.get(1));
    } else {
      column.of = operand(table, named.key, table.node(named.key));
      if (column.of.column.empty()) table.fail(named.key, "is a number; name a column in quotes");
    }
    read_rows(table, column);
    find_level(table, column);
    return column;
  }

 private:
  KindName kind_of(const StudyTable& table) const {
    const KindName* found = nullptr;
    for (const KindName& one : kind_names) {
      if (!table.has(one.key)) continue;
      if (found != nullptr)
        table.fail(one.key, fmt::format("and {}: a column is made in one way; keep one of them", found->key));
      found = &one;
    }
    if (found == nullptr) {
      table.fail("name",
                 "says of what? (a column has one of relative, mean, sum, least, most, quotient, product); add for "
                 "example mean = \"completion_cycles\" and over = [\"workload.name\"]");
    }
    return *found;
  }

  void check_name(const StudyTable& table, const std::string& name) const {
    const bool plain = name.size() <= 40 && std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
                       std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!plain) table.fail("name", "is no plain name (it is a column of the tables); use letters, digits and _");
    const bool taken = is_one_of(name, all_names()) || is_one_of(name, curve_figures()) ||
                       is_one_of(name, study_.keys()) || is_one_of(name, {"index", "name", "status", "digest"});
    if (taken) table.fail("name", fmt::format("= \"{}\" is a column already; take another name", name));
  }

  std::vector<std::string> all_names() const {
    std::vector<std::string> names;
    for (const DerivedColumn& one : before_) names.push_back(one.name);
    names.insert(names.end(), of_points_.begin(), of_points_.end());
    names.insert(names.end(), of_networks_.begin(), of_networks_.end());
    if (study_.search) names.insert(names.end(), curve_figures().begin(), curve_figures().end());
    return names;
  }

  Operand operand(const StudyTable& table, const std::string& key, const toml::node& node) const {
    if (node.is_number()) return {"", node.value<double>().value_or(NAN)};
    const auto name = node.value<std::string>();
    if (!name) table.fail(key, "is neither a column in quotes nor a number; write for example \"latency_mean\"");
    const std::vector<std::string> names = all_names();
    if (!is_one_of(*name, names)) {
      table.fail(key, fmt::format("names the column {}, which is not known (those of the table, and those before this "
                                  "one, are); did you mean {}?",
                                  shown(*name), nearest(*name, names)));
    }
    const auto network = std::ranges::find_if(network_figures(), [&](const auto& one) { return one.name == *name; });
    if (network != network_figures().end() && network->needs_cost && study_.cost.empty()) {
      table.fail(key, fmt::format("names {}, which only a table of prices tells; add cost = \"PRICES.toml\" to [sweep]",
                                  *name));
    }
    return {*name, 0};
  }

  void read_rows(const StudyTable& table, DerivedColumn& column) const {
    const bool relative = column.kind == Kind::relative;
    const bool over = !relative && !of_two(column.kind);
    for (const auto& [key, wanted] : {std::pair("to", relative), std::pair("over", over)}) {
      if (wanted) {
        static_cast<void>(table.node(key));
      } else if (table.has(key)) {
        table.fail(key, relative ? "is of means and sums; write to = {...}" : "has no meaning here; leave it out");
      }
    }
    if (relative) column.to = read_place(table, "to", study_);
    if (!over) return;
    column.over = table.node("over").is_string() ? std::vector{table.text("over", "")} : table.texts("over");
    const std::vector<std::string> known = telling_names(study_);
    for (const std::string& key : column.over) {
      if (!is_one_of(key, known))
        table.fail("over", fmt::format("= \"{}\" tells no points apart; did you mean {}?", key, nearest(key, known)));
    }
    read_weights(table, column);
  }

  void read_weights(const StudyTable& table, DerivedColumn& column) const {
    const toml::table* const weights = table.table("weights");
    if (weights == nullptr) return;
    if ((column.kind != Kind::mean && column.kind != Kind::sum) || column.over.size() != 1)
      table.fail("weights", "are of means and sums over one key; leave them out");
    double all = 0;
    for (const auto& [value, weight] : *weights) {
      const double number = weight.value<double>().value_or(NAN);
      if (!weight.is_number() || !std::isfinite(number) || number < 0)
        table.fail("weights",
                   fmt::format("has {} that is no number of 0 or more; write for example weights = {{BU = 2}}",
                               shown(std::string(value.str()))));
      const std::string text = value_text(std::string(value.str())), bare(value.str());
      const std::vector<std::string> known = values_of(column.over.front());
      const bool as_text = is_one_of(text, known);
      if (!as_text && !is_one_of(bare, known))
        table.fail("weights", fmt::format("has {}, which {} never is; did you mean {}?", shown(bare),
                                          column.over.front(), nearest(text, known)));
      column.weights[as_text ? text : bare] = number;
      all += number;
    }
    if (all == 0 && column.weights.size() >= values_of(column.over.front()).size())
      table.fail("weights", "are all 0; give one that counts");
  }

  /// What a key is at the points, as TOML.
  std::vector<std::string> values_of(const std::string& key) const {
    std::vector<std::string> values;
    for (const SweepAxis& axis : study_.axes) {
      if (!axis.labels.empty()) {
        if (axis.name != key) continue;
        for (const std::string& label : axis.labels) values.push_back(value_text(label));
        continue;
      }
      for (std::size_t at = 0; at < axis.keys.size(); ++at) {
        if (axis.keys[at] != key) continue;
        for (const auto& row : axis.rows) values.push_back(row[at]);
      }
    }
    return values;
  }

  /// Whether it is of points or of curves, and what it does not depend on.
  void find_level(const StudyTable& table, DerivedColumn& column) {
    bool points = false, curves = false;
    column.same_over = column.over;
    for (const Operand* part : {&column.of, &column.by}) {
      curves = curves || is_one_of(part->column, curve_figures());
      points = points || is_one_of(part->column, of_points_);
      for (const DerivedColumn& one : before_) {
        if (one.name != part->column) continue;
        (one.of_curves ? curves : points) = true;
        column.same_over.insert(column.same_over.end(), one.same_over.begin(), one.same_over.end());
      }
    }
    if (points && curves) {
      table.fail("name", fmt::format("= \"{}\" is made of figures of points and of curves ({}); take one sort",
                                     column.name, "low, high and accepted_most are of curves"));
    }
    column.of_curves = curves || (!points && study_.search.has_value());
    before_.push_back(column);
  }

  const SweepStudy& study_;
  std::vector<std::string> of_points_, of_networks_;
  std::vector<DerivedColumn> before_;
};

}  // namespace

std::vector<std::string> telling_names(const SweepStudy& study) {
  const std::vector<std::string> keys = study.keys();
  std::vector<std::string> names;
  for (const std::size_t ix : study.telling_keys()) names.push_back(keys[ix]);
  return names;
}

bool same_value(const std::string& a, const std::string& b) {
  return a == b || number_of(a) == number_of(b);  // NaN of what is no number is not equal
}

std::map<std::string, std::string> read_place(const StudyTable& table, const std::string& key,
                                              const SweepStudy& study) {
  const toml::table* inner = table.node(key).as_table();
  if (inner == nullptr || inner->empty()) {
    table.fail(key, fmt::format("is no table of settings; write for example {} = {{network = \"first\"}}", key));
  }
  std::map<std::string, std::string> place;
  const std::vector<std::string> known = telling_names(study);
  const auto add = [&](const auto& self, const toml::table& from, const std::string& prefix) -> void {
    for (const auto& [name, node] : from) {
      const std::string word = prefix + std::string(name.str());
      if (const toml::table* deeper = node.as_table()) {
        self(self, *deeper, word + ".");
        continue;
      }
      if (!is_one_of(word, known))
        table.fail(key,
                   fmt::format("has {}, which tells no points apart; did you mean {}?", word, nearest(word, known)));
      place[word] = toml_value(node, table.place(key));
    }
  };
  add(add, *inner, "");
  for (const SweepAxis& axis : study.axes) {
    for (std::size_t at = 0; at < axis.keys.size() || at == 0; ++at) {
      const bool labelled = !axis.labels.empty();
      const auto wanted = place.find(labelled ? axis.name : axis.keys[at]);
      const bool searched = study.search && axis.keys.front() == study.search->key;
      if (wanted == place.end() || searched) continue;
      std::vector<std::string> values;
      for (const std::string& label : axis.labels) values.push_back(value_text(label));
      for (std::size_t row = 0; row < axis.rows.size() && !labelled; ++row) values.push_back(axis.rows[row][at]);
      if (std::ranges::none_of(values, [&](const auto& one) { return same_value(one, wanted->second); }))
        table.fail(key, fmt::format("has {} = {}, which is not in the axis; did you mean {}?", wanted->first,
                                    shown(wanted->second), nearest(wanted->second, values)));
    }
  }
  return place;
}

void read_columns(const StudyTable& sweep, SweepStudy& study) {
  ColumnReader reader(study);
  for (const toml::table* one : sweep.tables("column"))
    study.columns.push_back(reader.read(StudyTable(*one, "[sweep.column]", study.path)));
}

}  // namespace weft::tools::sweep
