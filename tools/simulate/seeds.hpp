// Several seeds in one run: the runs one after the other, and one result of them all.
#pragma once

#include <vector>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// One result of the runs of one config with different seeds, at least one; that of one run is the run's own. Counts
/// (packets, messages, hops, events, seconds) are sums, maxima are maxima (and `cycles` is that of the longest run),
/// all other figures are means over the runs; deviation and confidence intervals are over the runs; converged if all
/// have; `seeds` has a row for each. Texts and lists (intervals, batches, histogram, nodes, tasks, bursts) are those of
/// the first run. The digest is the sum of each run's digest mixed with its seed.
[[nodiscard]] RunResult result_of_seeds(std::vector<RunResult> runs);

/// Leaves out the lists of a run, of which result_of_seeds takes only those of the first one.
void drop_lists(RunResult& run);

}  // namespace weft::tools
