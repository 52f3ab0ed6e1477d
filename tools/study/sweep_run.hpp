// Runs points of a sweep as child processes on this machine.
#pragma once

#include <string>
#include <vector>

#include "engine/base/system/child_process.hpp"
#include "engine/base/types.hpp"
#include "tools/run/progress.hpp"
#include "tools/study/frozen_sweep.hpp"
#include "tools/study/sweep_folder.hpp"

namespace weft::tools::sweep {

/// How one attempt at a point ended.
enum class Attempt : u8 {
  done,
  failed,
  checkpointed,  ///< stopped early with a checkpoint written
  stopped        ///< ended by a signal that came to this process; nothing is left of it
};

/// Runs one point of a frozen sweep to its end, from its checkpoint if there is one; result and notes are left in the
/// sweep's folder. A point whose inputs have changed fails. Throws SystemError if it cannot be started.
[[nodiscard]] Attempt run_point(const std::string& weft, const FrozenSweep& sweep, const SweepPoint& point,
                                const process::TakesLine& progress = {});

/// Runs `points`, `jobs` at once, and shows how far they have come. Returns when all have ended, or after a signal
/// (StopSignals must be alive) when those that ran have. Throws what run_point throws, once all have ended.
void run_points(const std::string& weft, const FrozenSweep& sweep, const std::vector<SweepPoint>& points, u32 jobs,
                Progress& progress);

/// Jobs that keep this machine's processors busy with runs of so many ranks.
[[nodiscard]] u32 default_jobs(u32 ranks);

}  // namespace weft::tools::sweep
