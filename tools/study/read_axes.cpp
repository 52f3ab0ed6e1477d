// Reads the axes of a parameter sweep: lists, ranges, settings that change together, choices with labels.
#include "tools/study/read_axes.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "engine/base/error.hpp"
#include "tools/run/config/check/suggest.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools::sweep {
namespace {

constexpr u32 most_values = 100'000;

/// from, from + step, ..., to.
std::vector<std::vector<std::string>> stepped_rows(const StudyTable& table) {
  const double from = table.real("from"), to = table.real("to"), step = table.real("step");
  // The allowance lets 0.1..0.9 by 0.1 reach 0.9 in spite of rounding.
  const double steps = std::floor((to - from) / step + 1e-9);
  if (!std::isfinite(steps) || steps < 0) {
    table.fail("step", "never leads from 'from' to 'to'; give a step in that direction");
  }
  if (steps >= most_values) {
    table.fail("step", fmt::format("makes more than {} values; give a larger one", most_values));
  }
  const bool whole = table.node("from").is_integer() && table.node("step").is_integer();
  constexpr double most_whole = 9.2e18;  // a little less than 2^63
  if (whole && (std::abs(from) > most_whole || std::abs(to) > most_whole)) {
    table.fail("to", "or from is beyond 64 bits; give smaller numbers");
  }
  std::vector<std::vector<std::string>> rows;
  for (u32 ix = 0; ix <= static_cast<u32>(steps); ++ix) {
    const double value = from + ix * step;
    char text[40];
    std::snprintf(text, sizeof text, "%.12g", value);  // 0.3, not 0.30000000000000004
    rows.push_back({whole ? std::to_string(static_cast<i64>(value)) : real_text(std::stod(text))});
  }
  return rows;
}

/// Rows of an axis with several keys: [[value, value], ...].
std::vector<std::vector<std::string>> zipped_rows(const StudyTable& table, std::size_t keys) {
  std::vector<std::vector<std::string>> rows;
  for (const toml::node& node : table.list("values")) {
    const toml::array* row = node.as_array();
    if (row == nullptr || row->size() != keys) {
      table.fail("values", fmt::format("has a row that is no list of {} values, one for each of the keys; write for "
                                       "example values = [[1, 2], [3, 4]]",
                                       keys));
    }
    rows.emplace_back();
    for (const toml::node& value : *row) rows.back().push_back(toml_value(value, table.place("values")));
  }
  return rows;
}

/// The settings of a choice, {label = "...", topology.kind = "torus", ...}, by their whole keys.
void add_settings(const StudyTable& axis, const toml::table& table, const std::string& prefix,
                  std::map<std::string, std::string>& settings) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* inner = node.as_table(); inner != nullptr) {
      add_settings(axis, *inner, key + ".", settings);
    } else if (key != "label") {
      check_swept_key(key, axis.place("values"));
      settings[key] = toml_value(node, axis.place("values"));
    }
  }
}

/// Choices with labels and settings of their own: a key that a choice does not name is left there as it is.
SweepAxis read_choices(const StudyTable& table) {
  table.allow_only({"name", "values"});
  SweepAxis axis;
  axis.name = table.text("name", "choice");
  std::vector<std::map<std::string, std::string>> choices;
  for (const toml::node& node : table.list("values")) {
    const toml::table* choice = node.as_table();
    const auto label = choice == nullptr ? std::nullopt : (*choice)["label"].value<std::string>();
    if (!label) {
      table.fail("values",
                 "has a choice without a label; write for example {label = \"long packets\", packet.phits = 64}");
    }
    axis.labels.push_back(*label);
    add_settings(table, *choice, "", choices.emplace_back());
    for (const auto& [key, value] : choices.back()) {
      if (std::ranges::find(axis.keys, key) == axis.keys.end()) axis.keys.push_back(key);
    }
  }
  if (axis.keys.empty()) table.fail("values", "sets nothing; give the choices settings, such as packet.phits = 64");
  for (const auto& choice : choices) {
    axis.rows.emplace_back();
    for (const std::string& key : axis.keys) axis.rows.back().push_back(choice.contains(key) ? choice.at(key) : "");
  }
  return axis;
}

/// Labels must name their rows, each another one, and the axis needs a name that is no key.
void check_labels(const StudyTable& table, const SweepAxis& axis) {
  if (axis.labels.empty()) {
    if (table.has("name")) table.fail("name", "is for axes with labels; leave it out, or give labels");
    return;
  }
  if (axis.labels.size() != axis.rows.size()) {
    table.fail("labels",
               fmt::format("has {} texts for {} values; give one for each", axis.labels.size(), axis.rows.size()));
  }
  const bool plain =
      !axis.name.empty() && axis.name.size() <= 40 &&
      std::ranges::all_of(axis.name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  if (!plain || axis.name == "index" || axis.name == "status") {
    table.fail("name",
               "is no plain name (it is a column of the tables); use letters, digits, - and _, e.g. \"network\"");
  }
  std::set<std::string> seen;
  for (const std::string& label : axis.labels) {
    if (label.empty() || !seen.insert(label).second) {
      table.fail(table.has("labels") ? "labels" : "values",
                 fmt::format("has the label \"{}\" twice or empty; give each value a label of its own", label));
    }
  }
}

SweepAxis read_axis(const StudyTable& table) {
  if (!table.has("key") && !table.has("keys") && table.has("values") && table.list("values").front().is_table()) {
    return read_choices(table);
  }
  table.allow_only({"key", "keys", "values", "from", "to", "step", "labels", "name"});
  SweepAxis axis;
  axis.labels = table.texts("labels");
  const bool zipped = table.has("keys");
  if (zipped == table.has("key")) {
    table.fail("key",
               "and keys: an axis has one of them; write key = \"workload.offered_load\", or keys = [...] for "
               "settings that change together");
  }
  axis.keys = zipped ? table.texts("keys") : std::vector{table.text("key", "")};
  if (axis.keys.empty()) table.fail("keys", "is empty; name at least one setting");
  const std::string& first = axis.keys.front();
  axis.name = table.text("name", axis.labels.empty() ? "" : first.substr(first.rfind('.') + 1));
  for (const std::string& key : axis.keys) check_swept_key(key, table.place(zipped ? "keys" : "key"));
  const bool stepped = table.has("from") || table.has("to") || table.has("step");
  if (stepped == table.has("values")) {
    table.fail("values", "and from/to/step: an axis has one of them; write values = [0.1, 0.2], or from, to and step");
  }
  if (stepped && zipped) table.fail("keys", "needs values (a range has one key); write values = [[...], [...]]");
  if (stepped) {
    axis.rows = stepped_rows(table);
  } else if (zipped) {
    axis.rows = zipped_rows(table, axis.keys.size());
  } else {
    for (const toml::node& value : table.list("values"))
      axis.rows.push_back({toml_value(value, table.place("values"))});
  }
  return axis;
}

}  // namespace

void check_swept_key(const std::string& key, const std::string& place) {
  if (find_setting(key) == nullptr) {
    throw ConfigError(fmt::format("{}: unknown key {}; {}", place, key, key_suggestion(key)));
  }
  if (key == "format" || key.starts_with("checkpoint.")) {
    throw ConfigError(
        fmt::format("{}: {} cannot be swept (weft sweep looks after it itself); leave it out", place, key));
  }
}

void read_axes(const toml::table& sweep, bool has_search, SweepStudy& study) {
  const toml::array* axes = sweep.contains("axis") ? sweep.get("axis")->as_array() : nullptr;
  if (axes == nullptr && has_search && !sweep.contains("axis")) return;
  if (axes == nullptr || !axes->is_array_of_tables()) {
    throw ConfigError(study.path + ": no axis (a sweep varies something); add for example [[sweep.axis]] with " +
                      "key = \"workload.offered_load\" and values = [0.1, 0.2]");
  }
  std::set<std::string> seen;
  for (const toml::node& node : *axes) {
    const StudyTable table(*node.as_table(), "[sweep.axis]", study.path);
    study.axes.push_back(read_axis(table));
    check_labels(table, study.axes.back());
    std::vector<std::string> names = study.axes.back().keys;
    if (!study.axes.back().labels.empty()) names.push_back(study.axes.back().name);
    for (const std::string& key : names) {
      if (!seen.insert(key).second) {
        throw ConfigError(
            fmt::format("{}: {} is in two axes (it can have one value at a time); keep one", table.place(), key));
      }
    }
  }
  if (study.repeat > 1 && seen.contains(seed_key)) {
    throw ConfigError(fmt::format("{}: repeat = {} and an axis over {} (both choose the seed); keep one of them",
                                  study.path, study.repeat, seed_key));
  }
}

}  // namespace weft::tools::sweep
