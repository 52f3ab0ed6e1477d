// A scaling study as its file describes it: which runs of weft tell how the simulator itself scales.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// strong: every size on every rank count. weak: the i-th size on the i-th rank count.
enum class ScalingKind : u8 { strong, weak };

/// A problem size: the base config with other settings.
struct StudySize {
  std::string name;
  std::vector<std::string> settings;  ///< table.key=value
  u64 config_hash = 0;                ///< Config::hash of the base with these settings
};

struct ScalingStudy {
  std::string path;  ///< of the study file
  std::string name;
  std::string base;  ///< path of the config, seen from the working directory
  std::string out;   ///< folder of the results, seen from the working directory
  ScalingKind kind = ScalingKind::strong;
  std::vector<u32> ranks;  ///< ascending
  u32 repeats = 3;
  std::vector<StudySize> sizes;
  std::vector<std::string> protocols{"auto"}, partitions{"auto"};
  u32 cores = 0;        ///< that the ranks share; 0: those this process may use
  u64 cache_bytes = 0;  ///< of a core, for the model; 0: the level-2 cache of this machine

  /// The config of a size.
  [[nodiscard]] Config config(const StudySize& size, const std::vector<std::string>& more = {}) const;
};

/// One place of the matrix, to be run `repeats` times.
struct Cell {
  std::size_t size_ix = 0;
  u32 ranks = 1;
  std::string protocol, partition;  ///< "sequential" and "none" on one rank, whatever the study asks for

  bool operator==(const Cell&) const = default;
};

/// Reads a study and checks it, with the config of each of its sizes. Relative paths in it start at its folder. Throws
/// ConfigError with the place (file:line).
[[nodiscard]] ScalingStudy load_scaling_study(const std::string& path);
/// Reads a study from the text of its file, with no look at the configs of its sizes.
[[nodiscard]] ScalingStudy read_scaling_study(const std::string& text, const std::string& path);

/// The matrix size x protocol x partition x ranks; one rank is there once for each size, since it has neither protocol
/// nor partition.
[[nodiscard]] std::vector<Cell> study_cells(const ScalingStudy& study);

}  // namespace weft::tools
