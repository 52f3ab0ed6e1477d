// A sweep as it was when it was started or submitted: what an editor does to the study, its config or their inputs
// later changes no run of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/study/sweep_study.hpp"

namespace weft::tools::sweep {

/// Lies in FOLDER OF THE SWEEP/frozen/ID: study.toml (the text of the study), base.toml (its config, see frozen_toml)
/// and sweep.json (the points, and hashes of the files that their configs name).
struct FrozenSweep {
  std::string path;                           ///< of sweep.json
  SweepStudy study;                           ///< its base is the frozen one
  std::vector<SweepPoint> points;             ///< their settings name files by absolute paths
  std::map<std::string, std::string> inputs;  ///< path -> hash; empty where it could not be read
};

/// Freezes a study. The same study, config and inputs have the same ID. Throws SystemError.
[[nodiscard]] FrozenSweep freeze(const SweepStudy& study, const std::vector<SweepPoint>& points);

/// Whether the path is that of a frozen sweep.
[[nodiscard]] bool is_frozen(const std::string& path);

/// Reads what freeze has written; the folder of the sweep may have been moved. Throws InputError if anything of it has
/// been changed.
[[nodiscard]] FrozenSweep load_frozen(const std::string& path);

/// Throws InputError if a file that the point's config names has changed since the sweep was frozen.
void check_inputs(const FrozenSweep& sweep, const SweepPoint& point);

}  // namespace weft::tools::sweep
