// Several seeds in one run: the runs one after the other, and one result of them all.
#pragma once

#include <vector>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// One result of the runs of one config with different seeds, at least one; that of one run is the run's own. Each
/// figure is merged as its row says (tools/result/figures.hpp); accepted load and mean latency with deviation and
/// confidence interval over the runs; `seeds` has a row for each. The digest is the sum of each run's digest mixed with
/// its seed.
[[nodiscard]] RunResult result_of_seeds(std::vector<RunResult> runs);

/// Leaves out what result_of_seeds takes of the first run alone: histories in time.
void drop_histories(RunResult& run);

}  // namespace weft::tools
