// Points of a sweep that follow from the results of others: where a network saturates, and where a curve bends.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/study_table.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {

/// Reads [sweep.search] and adds its axis, with the values of the first round. Throws ConfigError with file:line.
void read_search(const StudyTable& table, SweepStudy& study);

/// What is known of a curve at one step of the search.
struct SearchedStep {
  u32 step = 0;
  bool saturated = false;
  double height = 0;  ///< logarithm of what the curve shows: a latency, or a completion time; NaN: not known
};
/// The steps to run next, in order; empty if the curve is done: the saturation is known to one step (by bisection
/// between the highest step below which nothing is saturated and the lowest that is), and there are `points` steps,
/// those added where the curve is longest. `known` is in order of steps; none is above `last`.
[[nodiscard]] std::vector<u32> next_steps(const std::vector<SearchedStep>& known, u32 last, u32 points);

/// Values of points that the results ask for, as SweepStudy::added takes them; empty when the search is over, and for
/// curves with a point that has no result.
[[nodiscard]] std::vector<std::vector<std::string>> searched_points(const SweepTable& table);

/// How many points more a search will ask for, with those of all seeds, if each curve gets as many as it is to have at
/// least; 0 without a search.
[[nodiscard]] u64 points_to_come(const SweepStudy& study, u64 points);

/// Where the network of a curve saturates.
struct Saturation {
  std::vector<std::string> values;  ///< that name the curve, [telling key but the searched one and the seed]
  double low = 0, high = 0;         ///< highest value that is taken, lowest that is not; NaN: beyond what was searched
  std::vector<std::size_t> points;  ///< places in the table, in order
  double accepted = 0;              ///< most that was accepted at any point, phits/node/cycle; mean over seeds
};
/// A row for each curve of a search, in the order of the points. Empty without a search.
[[nodiscard]] std::vector<Saturation> saturations(const SweepTable& table);
/// The keys that name the curves, as places in SweepStudy::keys().
[[nodiscard]] std::vector<std::size_t> curve_keys(const SweepStudy& study);
/// Where the curves of a search saturate, as a table for the terminal.
[[nodiscard]] std::string saturation_text(const SweepTable& table);

}  // namespace weft::tools::sweep
