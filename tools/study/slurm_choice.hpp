// What a study asks SLURM for: the table [slurm].
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/run/config/study_table.hpp"

namespace weft::tools::sweep {

/// What the SLURM jobs of a sweep ask for. Empty texts and zeros are left to the site's defaults.
struct SlurmChoice {
  std::string partition, time, account;
  u32 nodes = 1;
  u32 ntasks = 0;            ///< 0: as many as the sweep has ranks
  u32 array_max = 1000;      ///< tasks of an array at most (the site's MaxArraySize); more points share tasks
  u32 task_seconds = 300;    ///< estimated time of an array task, which points share until it is full; 0: a point each
  u32 at_once = 0;           ///< array tasks that may run at the same time
  u32 signal_seconds = 120;  ///< warning before the time limit
  std::vector<std::string> extra;  ///< options of sbatch, as lines of a job script take them
};

/// Reads the table [slurm] of a study whose runs have so many ranks. Throws ConfigError with file:line for what SLURM
/// would not take, or would take for something else.
[[nodiscard]] SlurmChoice read_slurm(const StudyTable& table, u32 ranks);

}  // namespace weft::tools::sweep
