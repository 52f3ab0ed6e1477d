// Reads the study file of a parameter sweep.
#include "tools/sweep/sweep_study.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "engine/error.hpp"
#include "tools/config/settings.hpp"
#include "tools/config/study_table.hpp"
#include "tools/config/suggest.hpp"
#include "tools/config/toml_text.hpp"

namespace weft::tools::sweep {
namespace {

namespace fs = std::filesystem;

constexpr u32 most_values = 100'000;

/// A key that an axis may have.
void check_key(const std::string& key, const std::string& place) {
  if (find_setting(key) == nullptr) {
    throw ConfigError(fmt::format("{}: unknown key {}; {}", place, key, key_suggestion(key)));
  }
  if (key == "format" || key.starts_with("checkpoint.")) {
    throw ConfigError(
        fmt::format("{}: {} cannot be swept (weft sweep looks after it itself); leave it out", place, key));
  }
}

double axis_number(const StudyTable& table, const std::string& key) {
  const toml::node& node = table.node(key);
  if (!node.is_number()) table.fail(key, fmt::format("is no number; write for example {} = 0.1", key));
  return node.value<double>().value_or(0.0);
}

/// from, from + step, ..., to.
std::vector<std::vector<std::string>> stepped_rows(const StudyTable& table) {
  const double from = axis_number(table, "from"), to = axis_number(table, "to"), step = axis_number(table, "step");
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

SweepAxis read_axis(const StudyTable& table) {
  table.allow_only({"key", "keys", "values", "from", "to", "step"});
  SweepAxis axis;
  const bool zipped = table.has("keys");
  if (zipped == table.has("key")) {
    table.fail("key",
               "and keys: an axis has one of them; write key = \"workload.offered_load\", or keys = [...] for "
               "settings that change together");
  }
  axis.keys = zipped ? table.texts("keys") : std::vector{table.text("key", "")};
  if (axis.keys.empty()) table.fail("keys", "is empty; name at least one setting");
  for (const std::string& key : axis.keys) check_key(key, table.place(zipped ? "keys" : "key"));
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

void read_axes(const toml::table& sweep, SweepStudy& study) {
  const toml::array* axes = sweep.contains("axis") ? sweep.get("axis")->as_array() : nullptr;
  if (axes == nullptr || !axes->is_array_of_tables()) {
    throw ConfigError(study.path + ": no axis (a sweep varies something); add for example [[sweep.axis]] with " +
                      "key = \"workload.offered_load\" and values = [0.1, 0.2]");
  }
  std::set<std::string> seen;
  for (const toml::node& node : *axes) {
    const StudyTable table(*node.as_table(), "[sweep.axis]", study.path);
    study.axes.push_back(read_axis(table));
    for (const std::string& key : study.axes.back().keys) {
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

/// A config where a study is wanted: what the user has in hand is a base of one.
void refuse_config(const toml::table& root, const std::string& path) {
  if (root.contains("sweep")) return;
  const bool scaling = root.contains("scaling");
  const bool config =
      std::ranges::any_of(setting_tables(), [&](const SettingTable& table) { return root.contains(table.name); });
  if (!scaling && !config && !root.contains(include_key)) return;
  throw ConfigError(
      scaling
          ? fmt::format("{}: is a scaling study, not a sweep; use weft scaling {}", path, path)
          : fmt::format("{}: is the config of one run, not a study (it has no [sweep]); use weft run {}, or write a "
                        "study with base = \"{}\" and axes (docs/sweeps.md)",
                        path, path, fs::path(path).filename().string()));
}

/// Names become parts of file names and of a script.
void check_name(const StudyTable& table, const std::string& name) {
  const bool fits = name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) {
                      return c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.');
                    });
  if (!fits) table.fail("name", "is no plain name (it names files); use up to 64 letters, digits, - and _");
}

}  // namespace

std::vector<std::string> SweepStudy::keys() const {
  std::vector<std::string> all;
  for (const SweepAxis& axis : axes) all.insert(all.end(), axis.keys.begin(), axis.keys.end());
  if (repeat > 1) all.emplace_back(seed_key);
  return all;
}

SweepStudy load_sweep(const std::string& path) {
  SweepStudy study = read_sweep(study_text(path), path);
  study.config = Config::load(study.base, study.set);
  return study;
}

SweepStudy read_sweep(const std::string& text, const std::string& path) {
  SweepStudy study;
  study.path = path;
  study.text = text;
  const toml::table root = parse_toml(study.text, path);
  const StudyTable top(root, "", path);
  refuse_config(root, path);
  top.allow_only({"format", "sweep", "slurm"});
  if (!top.has("format")) {
    throw ConfigError(path + ": format is missing (the version of the study language); add the line format = 1 on top");
  }
  if (root.get("format")->value<i64>() != 1) {
    throw ConfigError(top.place("format") + ": this version reads format = 1 only; write format = 1");
  }
  const toml::table* node = top.has("sweep") ? root.get("sweep")->as_table() : nullptr;
  if (node == nullptr)
    throw ConfigError(path + ": no [sweep] table (weft sweep needs one); add [sweep] with base and axes");
  const StudyTable sweep(*node, "sweep", path);
  sweep.allow_only({"name", "base", "set", "ranks", "repeat", "out", "axis"});
  const fs::path folder = fs::path(path).parent_path();
  study.name = sweep.text("name", fs::path(path).stem().string());
  check_name(sweep, study.name);
  static_cast<void>(sweep.node("base"));
  study.base = (folder / sweep.text("base", "")).lexically_normal().string();
  study.out = (folder / sweep.text("out", study.name)).lexically_normal().string();
  study.set = sweep.texts("set");
  study.ranks = sweep.number("ranks", 1, 1, 1'000'000);
  study.repeat = sweep.number("repeat", 1, 1, most_values);
  read_axes(*node, study);
  if (root.contains("slurm")) {
    const toml::table* slurm = root.get("slurm")->as_table();
    if (slurm == nullptr) throw ConfigError(path + ": slurm is a table; write [slurm] and its keys below");
    study.slurm = read_slurm(StudyTable(*slurm, "slurm", path), study.ranks);
  }
  return study;
}

}  // namespace weft::tools::sweep
