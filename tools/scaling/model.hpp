// The performance model: wall time of a run from what it has to do, fitted to runs and judged on runs left out.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/types.hpp"

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
  std::array<double, terms> seconds{};

  [[nodiscard]] std::array<double, terms> counts(const WorkLoad& work) const;
  /// Seconds of each term.
  [[nodiscard]] std::array<double, terms> parts(const WorkLoad& work) const;
  [[nodiscard]] double wall_s(const WorkLoad& work) const;
};

/// Fits the coefficients, none negative, so that the sum of squared relative errors is least.
[[nodiscard]] PerformanceModel fit_model(const std::vector<ModelRow>& rows, double cache_bytes, u32 cores);

/// Errors |predicted / measured - 1| of rows.
struct ModelError {
  u32 ranks = 0;  ///< of these rows; 0: of all
  std::size_t rows = 0;
  double mean = 0, worst = 0;
};
[[nodiscard]] ModelError model_error(const PerformanceModel& model, const std::vector<ModelRow>& rows);

/// For each rank count: the error on its rows of a model fitted to all other rows (leave one rank count out); the last
/// one is over all of them. Empty if there are fewer than two rank counts.
[[nodiscard]] std::vector<ModelError> held_out_errors(const std::vector<ModelRow>& rows, double cache_bytes, u32 cores);

/// Name and unit of a term for people.
[[nodiscard]] std::string term_name(Term term);

}  // namespace weft::tools
