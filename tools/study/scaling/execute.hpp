// Makes the runs of a scaling study that have not been made yet.
#pragma once

#include <ostream>
#include <string>

#include "tools/study/scaling/runs.hpp"
#include "tools/study/scaling/study.hpp"

namespace weft::tools {

/// Where a study keeps its runs.
[[nodiscard]] std::string runs_path(const ScalingStudy& study);

/// Cores that the study's ranks share.
[[nodiscard]] u32 study_cores(const ScalingStudy& study);

/// Makes all missing runs, one after the other, repeats interleaved, so that a disturbance of the machine does not hit
/// one cell alone; each is saved at once. `weft`: path of the program. A line for each run goes to `progress`. Returns
/// all runs, with digests checked after each. Throws ConfigError if the study's runs were made on another host, by
/// another program or with other cores and some are missing; the kind of error that a failed run had; SystemError.
/// Holds the signals that ask to stop: hands them on to the run in progress and throws Stopped once that has ended.
[[nodiscard]] RunLog make_runs(const ScalingStudy& study, const std::string& weft, std::ostream& progress);

}  // namespace weft::tools
