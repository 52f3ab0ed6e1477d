// A sweep as a SLURM job array: the job script, handing it to sbatch, and the jobs that were handed over before.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/study/frozen_sweep.hpp"
#include "tools/study/sweep_folder.hpp"

namespace weft::tools::sweep {

/// The job script that runs `points` (not empty) of a frozen sweep in at most `most_tasks` tasks of an array (and no
/// more than slurm.array_max). Task t of T runs the points t, t + T, t + 2T... of the list; it is warned before the
/// time limit, is requeued until its points are done, and goes on after a node has failed. Throws ConfigError for paths
/// that a job script cannot hold.
[[nodiscard]] std::string sweep_script(const std::string& weft, const FrozenSweep& sweep,
                                       const std::vector<SweepPoint>& points, std::size_t most_tasks);

/// Where sweep scripts are written: NAME.sbatch in the folder of the sweep.
[[nodiscard]] std::string sweep_script_path(const SweepStudy& study);

/// Hands the script of these points to sbatch, calls `accepted` once that has taken it, notes the job and its points in
/// the sweep's folder (jobs.json) and returns its number. Throws SystemError with what sbatch said.
[[nodiscard]] std::string submit_script(const std::string& path, const FrozenSweep& sweep,
                                        const std::vector<SweepPoint>& points, const std::function<void()>& accepted);

/// Puts into the state of each point that is not done the job in SLURM's queue that has it; a warning if SLURM cannot
/// be asked.
void note_queued(const SweepStudy& study, const std::vector<SweepPoint>& points, std::vector<PointState>& states);

/// Throws ConfigError if a job that was submitted before is still in SLURM's queue; a warning if SLURM cannot be asked.
void check_no_job_lives(const SweepStudy& study);

}  // namespace weft::tools::sweep
