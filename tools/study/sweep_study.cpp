// Reads the study file of a parameter sweep.
#include "tools/study/sweep_study.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "engine/base/error.hpp"
#include "tools/report/cost/cost_table.hpp"
#include "tools/run/config/check/suggest.hpp"
#include "tools/run/config/named_files.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/config/study_table.hpp"
#include "tools/run/config/toml_text.hpp"
#include "tools/study/read_axes.hpp"
#include "tools/study/read_columns.hpp"
#include "tools/study/sweep_published.hpp"
#include "tools/study/sweep_search.hpp"

namespace weft::tools::sweep {
namespace {

namespace fs = std::filesystem;

constexpr u32 most_repeats = 100'000;

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

/// What --quick changes: settings for all points, fewer repetitions, and a folder of its own.
void make_quick(const toml::table& sweep, SweepStudy& study) {
  const toml::table* node = sweep.contains("quick") ? sweep.get("quick")->as_table() : nullptr;
  if (node == nullptr) {
    throw ConfigError(study.path +
                      ": no [sweep.quick] (--quick asks for what it says); add for example [sweep.quick] " +
                      "with set = [\"simulation.cycles=2000\"] and repeat = 1");
  }
  const StudyTable table(*node, "sweep.quick", study.path);
  table.allow_only({"set", "repeat"});
  const std::vector<std::string> set = table.texts("set");
  study.set.insert(study.set.end(), set.begin(), set.end());
  study.repeat = table.number("repeat", study.repeat, 1, most_repeats);
  study.name += "-quick";
  study.out += "-quick";
  study.quick = true;
}

}  // namespace

std::vector<std::string> SweepStudy::keys() const {
  std::vector<std::string> all;
  for (const SweepAxis& axis : axes) {
    if (!axis.labels.empty()) all.push_back(axis.name);
    all.insert(all.end(), axis.keys.begin(), axis.keys.end());
  }
  if (repeat > 1) all.emplace_back(seed_key);
  return all;
}

std::vector<std::size_t> SweepStudy::telling_keys() const {
  std::vector<std::size_t> telling;
  std::size_t at = 0;
  for (const SweepAxis& axis : axes) {
    if (!axis.labels.empty()) telling.push_back(at++);
    for (std::size_t key = 0; key < axis.keys.size(); ++key, ++at) {
      if (axis.labels.empty()) telling.push_back(at);
    }
  }
  if (repeat > 1) telling.push_back(at);
  return telling;
}

std::string unit_of_key(const std::string& key) {
  const Setting* const setting = find_setting(key);
  return setting == nullptr ? "" : setting->unit;
}

SweepStudy load_sweep(const std::string& path, const std::vector<std::string>& set, bool quick) {
  SweepStudy study = read_sweep(study_text(path), path, quick);
  study.set.insert(study.set.end(), set.begin(), set.end());
  study.config = Config::load(study.base, study.set);
  if (!study.cost.empty()) static_cast<void>(cost::load_cost_table(study.cost));
  return study;
}

SweepStudy read_sweep(const std::string& text, const std::string& path, bool quick) {
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
  sweep.allow_only({"name", "base", "set", "ranks", "threads", "repeat", "out", "axis", "search", "quick", "cost",
                    "column", "published"});
  const fs::path folder = fs::path(path).parent_path();
  study.name = sweep.text("name", fs::path(path).stem().string());
  check_name(sweep, study.name);
  static_cast<void>(sweep.node("base"));
  study.base = (folder / sweep.text("base", "")).lexically_normal().string();
  load_plugins_of(study.base);  // axes may be of keys that they bring
  study.out = (folder / sweep.text("out", study.name)).lexically_normal().string();
  study.set = sweep.texts("set");
  study.processes = sweep.number("ranks", 1, 1, 1'000'000);
  study.threads = sweep.number("threads", 1, 1, 1024);
  study.repeat = sweep.number("repeat", 1, 1, most_repeats);
  if (quick) make_quick(*node, study);
  if (sweep.has("cost")) study.cost = (folder / sweep.text("cost", "")).lexically_normal().string();
  const toml::table* search = sweep.table("search");
  read_axes(*node, search != nullptr, study);
  if (search != nullptr) read_search(StudyTable(*search, "sweep.search", path), study);
  read_columns(sweep, study);
  read_published(sweep, study);
  if (const toml::table* slurm = top.table("slurm"); slurm != nullptr)
    study.slurm = read_slurm(StudyTable(*slurm, "slurm", path), study.processes);
  return study;
}

}  // namespace weft::tools::sweep
