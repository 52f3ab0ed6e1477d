// When a network has settled, and how far its batches scatter: arithmetic on what a run has measured.
#pragma once

#include <span>

#include "tools/result/run_result.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// Whether the accepted loads of the last `plan.intervals` intervals lie within the tolerance, a fraction of the
/// largest (TARGETS T1: throughput method). False as long as there are fewer.
[[nodiscard]] bool settled(std::span<const IntervalRow> intervals, const MeasurePlan& plan);

/// Standard deviation of the batches' accepted loads, phits/node/cycle, with n - 1 in the denominator; 0 for one batch.
[[nodiscard]] double accepted_stddev(std::span<const IntervalRow> batches);

/// Fills in what follows from result.batches: deviation, 95 % confidence intervals, correlation of each batch with the
/// next, and a warning if the batches are too short to be taken for independent. Sets `measured`.
void judge_batches(RunResult& result);

/// A mean latency whose 95 % confidence interval is wider, to either side, than this share of it is no steady one.
inline constexpr double steady_latency_fraction = 0.25;

/// Whether packets in flight grew while a run was measured: the accepted load is below the generated one by more than
/// its 95 % confidence interval, and by more than 1 %. Sets `falls_behind`; where that is true, and where the latency
/// is no steady one, clears `converged`, with a warning. Loads, latency and their intervals must be there.
void judge_steadiness(RunResult& result);

}  // namespace weft::tools
