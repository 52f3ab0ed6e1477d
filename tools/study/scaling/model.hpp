// The performance model: wall time of a run from what it has to do, fitted to runs and judged on runs left out.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// What a run has to do.
struct WorkLoad {
  u32 ranks = 1;
  double events = 0;           ///< of all ranks
  double imbalance = 1;        ///< busiest rank's events over the mean
  double windows = 0;          ///< times that the ranks synchronise; without meaning on one rank
  double remote_messages = 0;  ///< of all ranks
  double bytes = 0;            ///< state of the whole model
};

/// A run that was measured.
struct ModelRow {
  WorkLoad work;
  double wall_s = 0;
};

/// Columns of the model; each has a coefficient in seconds.
enum class Term : u8 { event, cache_miss, synchronise, message, switching };
inline constexpr std::size_t terms = 5;

/// What the runs say about a term.
enum class TermState : u8 {
  fitted,
  absent,       ///< does not occur in them
  inseparable,  ///< occurs, but goes along with other terms: its fraction of the time is anybody's guess
  crowded,      ///< occurs, but there are too few points for as many terms
};

/// Points for each coefficient, so that at least as many are left to check the model as it takes to make it.
inline constexpr std::size_t points_per_term = 2;

/// The least part of a term's counts that the other terms must leave unexplained (as lengths of vectors over the
/// points, 0..1). Noise of the times comes back in the coefficients multiplied by up to its inverse, 20: times of 1 %
/// give a coefficient of 20 %.
inline constexpr double least_own_share = 0.05;

/// wall_s = sum over terms of seconds[term] * count[term]; see docs/scaling.md. For p ranks on `cores` cores, with
/// turns = ceil(p / cores) and the events of the busiest rank, m = events / p * imbalance:
///   event        turns * m
///   cache_miss   turns * m * max(0, 1 - cache_bytes / (bytes / p))   the part of the state that the cache cannot hold
///   synchronise  windows * log2(p)                                   depth of a tree over the ranks
///   message      turns * remote_messages / p
///   switching    windows * (turns - 1)                               ranks that wait for a core
struct PerformanceModel {
  double cache_bytes = 0;
  u32 cores = 1;
  std::array<double, terms> seconds{};  ///< 0 where the runs do not determine it
  std::array<TermState, terms> state{};

  [[nodiscard]] std::array<double, terms> counts(const WorkLoad& work) const;
  /// Seconds of each term.
  [[nodiscard]] std::array<double, terms> parts(const WorkLoad& work) const;
  [[nodiscard]] double wall_s(const WorkLoad& work) const;
  /// This model for a machine where none of so many ranks waits for a core.
  [[nodiscard]] PerformanceModel with_a_core_each(u32 ranks) const;
};

/// Fits the coefficients, none negative, so that the sum of squared relative errors is least. Terms that the rows do
/// not determine are left out, the least needed first; `state` says which and why.
[[nodiscard]] PerformanceModel fit_model(const std::vector<ModelRow>& rows, double cache_bytes, u32 cores);

/// Errors |predicted / measured - 1| of rows.
struct ModelError {
  u32 ranks = 0;  ///< of these rows; 0: of all
  std::size_t rows = 0;
  double mean = 0, worst = 0;
};
[[nodiscard]] ModelError model_error(const PerformanceModel& model, const std::vector<ModelRow>& rows);

/// Leave-one-out cross-validation: the errors on each row of a model of the same terms fitted to all others. `model` is
/// fit_model of the rows. Nothing (0 rows) for fewer than two.
[[nodiscard]] ModelError leave_one_out(const PerformanceModel& model, const std::vector<ModelRow>& rows);

/// Cross-validation with all rows of a rank count left out together: an error for each rank count, the last one over
/// all of them. Empty if there are fewer than two rank counts.
[[nodiscard]] std::vector<ModelError> held_out_errors(const PerformanceModel& model, const std::vector<ModelRow>& rows);

/// Name and unit of a term for people.
[[nodiscard]] std::string term_name(Term term);
/// Why a term is not fitted.
[[nodiscard]] std::string state_text(TermState state);

}  // namespace weft::tools
