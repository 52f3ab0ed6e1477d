// The study file of a parameter sweep, and the points it stands for.
#pragma once

#include <string>
#include <vector>

#include "engine/types.hpp"

namespace weft::tools {

/// Settings that change together; most axes have one.
struct SweepAxis {
  std::vector<std::string> keys;               ///< table.key
  std::vector<std::vector<std::string>> rows;  ///< values as TOML, [row][key]
};

/// What the SLURM jobs of a sweep ask for. Empty texts and zeros are left to the site's defaults.
struct SlurmChoice {
  std::string partition, time, account;
  u32 nodes = 1;
  u32 ntasks = 0;                  ///< 0: as many as the sweep has ranks
  u32 array_max = 1000;            ///< tasks of an array at most (the site's MaxArraySize); more points share tasks
  u32 at_once = 0;                 ///< array tasks that may run at the same time
  u32 signal_seconds = 120;        ///< warning before the time limit
  std::vector<std::string> extra;  ///< options of sbatch, as they are
};

struct SweepStudy {
  std::string path;  ///< the study file, as given
  std::string text;  ///< its content
  std::string name;
  std::string base;              ///< config file, seen from the working directory
  std::string out;               ///< folder, seen from the working directory
  std::vector<std::string> set;  ///< table.key=value for all points
  u32 ranks = 1;
  u32 repeat = 1;  ///< runs of each point, with seeds one after the other from that of the config
  std::vector<SweepAxis> axes;
  SlurmChoice slurm;

  /// Keys of all axes in order, simulation.seed at the end if points are repeated.
  [[nodiscard]] std::vector<std::string> keys() const;
};

/// One run of a sweep.
struct SweepPoint {
  u32 index = 0;
  std::string name;                   ///< of its files: values and a hash of its whole config
  std::vector<std::string> values;    ///< as TOML, [key of SweepStudy::keys()]
  std::vector<std::string> settings;  ///< table.key=value: all that it changes in the base config
};

/// Reads a study. Throws ConfigError with file:line for what is malformed, unknown (with the nearest known key), of a
/// wrong type or range, or contradicts itself.
[[nodiscard]] SweepStudy load_sweep(const std::string& path);
/// The same from the text of the file.
[[nodiscard]] SweepStudy read_sweep(const std::string& text, const std::string& path);

/// The product of the axes, the last one changing fastest, seeds faster still. Loads and validates the config of every
/// point. Throws ConfigError that names the first point that is not possible, and for two points that are the same run.
[[nodiscard]] std::vector<SweepPoint> sweep_points(const SweepStudy& study);

/// "workload.offered_load=0.3, simulation.seed=2"
[[nodiscard]] std::string point_text(const SweepStudy& study, const SweepPoint& point);

}  // namespace weft::tools
