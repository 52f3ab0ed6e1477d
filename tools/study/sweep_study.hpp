// The study file of a parameter sweep, and the points it stands for.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/run/config/config.hpp"
#include "tools/study/derived_column.hpp"
#include "tools/study/slurm_choice.hpp"

namespace weft::tools::sweep {

/// Settings that change together; most axes have one.
struct SweepAxis {
  std::vector<std::string> keys;               ///< table.key
  std::vector<std::vector<std::string>> rows;  ///< values as TOML, [row][key]; empty: the key stays as it is
  std::string name;                            ///< of an axis with labels: the column that they are in
  std::vector<std::string> labels;             ///< what people read for a row, [row]; none for most axes
};

/// A key whose values the results choose: see sweep_search.hpp.
struct SweepSearch {
  std::string key = "workload.offered_load";
  double from = 0, to = 1, precision = 0.01;  ///< in the key's unit; values are `precision` apart
  u32 points = 5;                             ///< of each curve at least
  bool whole = false;                         ///< values are whole numbers

  [[nodiscard]] u32 last_step() const;
  [[nodiscard]] double value_of(u32 step) const;
  [[nodiscard]] u32 step_of(double value) const;
  [[nodiscard]] std::string text_of(u32 step) const;  ///< as TOML
};

struct SweepStudy {
  std::string path;  ///< the study file, as given
  std::string text;  ///< its content
  std::string name;
  std::string base;                ///< config file, seen from the working directory
  Config config;                   ///< that file's settings with those of `set`; read once
  std::string out;                 ///< folder, seen from the working directory
  std::vector<std::string> set;    ///< table.key=value for all points
  u32 processes = 1, threads = 1;  ///< of each run, and of each of its processes
  u32 repeat = 1;                  ///< runs of each point, with seeds one after the other from that of the config
  std::vector<SweepAxis> axes;
  std::optional<SweepSearch> search;            ///< its first values are the last axis
  std::vector<std::vector<std::string>> added;  ///< values of points beside the product of the axes, without seeds
  std::string cost;                             ///< table of prices, seen from the working directory; empty: none
  std::vector<DerivedColumn> columns;           ///< in order: each may be made of those before it
  std::vector<PublishedCurve> published;
  SlurmChoice slurm;
  bool quick = false;  ///< with what [sweep.quick] says

  /// Ranks of each run.
  [[nodiscard]] u32 ranks() const { return processes * threads; }
  /// Columns of the points: of each axis its name, if it has labels, and its keys; simulation.seed at the end if points
  /// are repeated. Names of axes have no dot.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Columns that people need to tell points apart: labels stand for the settings of their axis.
  [[nodiscard]] std::vector<std::size_t> telling_keys() const;
};

/// Whether a column of points is a setting, not the name of an axis with labels.
[[nodiscard]] inline bool is_setting(const std::string& key) { return key.find('.') != std::string::npos; }
/// Unit of a column; empty for labels and settings without one.
[[nodiscard]] std::string unit_of_key(const std::string& key);

/// One run of a sweep.
struct SweepPoint {
  u32 index = 0;
  std::string name;  ///< of its files: values and a hash of its whole config

  [[nodiscard]] std::string hash() const { return name.substr(name.size() - 16); }  ///< no two points have the same

  std::vector<std::string> values;    ///< as TOML, [key of SweepStudy::keys()]; empty: left as it is
  std::vector<std::string> settings;  ///< table.key=value: all that it changes in the base config
  /// Files that its config names, and a hash of what is in each; empty where that cannot be read.
  std::vector<std::pair<std::string, std::string>> inputs;
};

/// Reads a study and its config; `set` comes after what the study sets for all points, `quick` asks for what
/// [sweep.quick] says. Throws ConfigError with file:line for what is malformed, unknown (with the nearest known key),
/// of a wrong type or range, or contradicts itself.
[[nodiscard]] SweepStudy load_sweep(const std::string& path, const std::vector<std::string>& set = {},
                                    bool quick = false);
/// Reads a study from the text of its file, all but its config.
[[nodiscard]] SweepStudy read_sweep(const std::string& text, const std::string& path, bool quick = false);

/// The product of the axes, the last one changing fastest, and what was added; seeds change faster still. Validates the
/// config of every point and hashes the files that it names.
/// Throws ConfigError that names the first point that is not possible, and for two points that are the same run.
[[nodiscard]] std::vector<SweepPoint> sweep_points(const SweepStudy& study);

/// The point that people or job scripts mean by its name, by the hash at the end of that, or by its index. Throws
/// ConfigError if there is none.
[[nodiscard]] const SweepPoint& find_point(const SweepStudy& study, const std::vector<SweepPoint>& points,
                                           const std::string& word);

/// "workload.offered_load=0.3, simulation.seed=2"
[[nodiscard]] std::string point_text(const SweepStudy& study, const SweepPoint& point);

}  // namespace weft::tools::sweep
