// A sweep as a SLURM job array: the job script, and handing it to sbatch.
#pragma once

#include <string>
#include <vector>

#include "tools/study/sweep_study.hpp"

namespace weft::tools {

/// The job script that runs `points` (not empty). Task t of T runs the points t, t + T, t + 2T... of the list; it is
/// warned before the time limit, is requeued until its points are done, and goes on after a node has failed.
[[nodiscard]] std::string sweep_script(const std::string& weft, const SweepStudy& study,
                                       const std::vector<SweepPoint>& points);

/// Where sweep scripts are written: NAME.sbatch in the folder of the sweep.
[[nodiscard]] std::string sweep_script_path(const SweepStudy& study);

/// Hands the script to sbatch and returns the number of the job. Throws SystemError with what sbatch said.
[[nodiscard]] std::string submit_script(const std::string& path);

}  // namespace weft::tools
