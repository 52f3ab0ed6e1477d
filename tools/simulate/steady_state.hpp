// When a network has settled, and how far its batches scatter: arithmetic on what a run has measured.
#pragma once

#include <span>

#include "tools/result/run_result.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Whether the accepted loads of the last `plan.intervals` intervals lie within the tolerance, a fraction of the
/// largest (TARGETS T1: throughput method). False as long as there are fewer.
[[nodiscard]] bool settled(std::span<const IntervalRow> intervals, const MeasurePlan& plan);

/// Standard deviation of the batches' accepted loads, phits/node/cycle, with n - 1 in the denominator; 0 for one batch.
[[nodiscard]] double accepted_stddev(std::span<const IntervalRow> batches);

/// Fills in what follows from result.batches: deviation, 95 % confidence intervals, correlation of each batch with the
/// next, and a warning if the batches are too short to be taken for independent. Sets `measured`.
void judge_batches(RunResult& result);

}  // namespace weft::tools
