// Where the warm-up of a run ends, found from the run itself: MSER-5 (White, Simulation 69 (1997) 323; Franklin and
// White, WSC 2008), and the decision that a series is long enough. Pure functions of a series.
#pragma once

#include <span>
#include <vector>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// MSER-5 looks at means of so many intervals.
inline constexpr u64 mser_group = 5;

/// How many leading values to leave out: as many as make the standard error of the mean of the rest least, that is
/// (sum of squared distances from the mean) / n^2 of the n that are left; the fewest of equals. The last five values
/// are always kept, since a handful that happen to be alike would else be taken for the steady state.
[[nodiscard]] std::size_t mser_truncation(std::span<const double> series);

/// What a run of intervals of equal length amounts to.
struct SteadyWindow {
  u64 first = 0;  ///< group (of mser_group intervals) with which the measurement begins
  bool truncated_in_first_half = false;
  bool precise = false;              ///< both confidence intervals are as narrow as wanted
  std::vector<IntervalRow> batches;  ///< of the rest, all of equal length
  [[nodiscard]] bool converged() const { return truncated_in_first_half && precise; }
};

/// Leaves out what MSER-5 says of the accepted load or of the mean latency, whichever is more, but no more than half of
/// the groups; shares the rest out evenly over `batches` batches of whole groups (what is over goes with the warm-up),
/// and compares half the confidence intervals of both with their means times `precision_fraction`. `rows`: whole
/// groups, at least 2 * batches of them.
[[nodiscard]] SteadyWindow steady_window(std::span<const IntervalRow> rows, u64 batches, double precision_fraction,
                                         double confidence_percent = 95);

/// Groups after which a run is judged, after it was at `groups`: 2 * batches, then a quarter more each time (to look
/// oftener would be to wait for a lucky moment).
[[nodiscard]] u64 next_judgement(u64 groups, u64 batches);

/// Rows in a row as one: loads by time, latency by packet.
[[nodiscard]] IntervalRow merged(std::span<const IntervalRow> rows);

}  // namespace weft::tools
