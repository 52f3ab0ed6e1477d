// Counts, fit and errors of the performance model; see the header.
#include "tools/scaling/model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/error.hpp"
#include "tools/scaling/least_squares.hpp"

namespace weft::tools {

std::array<double, terms> PerformanceModel::counts(const WorkLoad& work) const {
  const double p = work.ranks, turns = std::ceil(p / cores);
  const double busiest = turns * work.events / p * work.imbalance;
  const double misses = work.bytes > 0 ? std::max(0.0, 1 - cache_bytes * p / work.bytes) : 0.0;
  const double windows = work.ranks > 1 ? work.windows : 0;
  return {busiest, busiest * misses, windows * std::log2(p), turns * work.remote_messages / p, windows * (turns - 1)};
}

std::array<double, terms> PerformanceModel::parts(const WorkLoad& work) const {
  std::array<double, terms> result = counts(work);
  for (std::size_t term = 0; term < terms; ++term) result[term] *= seconds[term];
  return result;
}

double PerformanceModel::wall_s(const WorkLoad& work) const {
  double sum = 0;
  for (const double part : parts(work)) sum += part;
  return sum;
}

PerformanceModel fit_model(const std::vector<ModelRow>& rows, double cache_bytes, u32 cores) {
  WEFT_ASSERT(!rows.empty() && cores > 0);
  PerformanceModel model{cache_bytes, cores, {}};
  std::vector<std::vector<double>> a;
  for (const ModelRow& row : rows) {
    WEFT_ASSERT(row.wall_s > 0);
    const std::array<double, terms> counts = model.counts(row.work);
    std::vector<double>& line = a.emplace_back();
    for (const double count : counts) line.push_back(count / row.wall_s);
  }
  const std::vector<double> x = nonnegative_least_squares(a, std::vector<double>(rows.size(), 1.0));
  std::ranges::copy(x, model.seconds.begin());
  return model;
}

ModelError model_error(const PerformanceModel& model, const std::vector<ModelRow>& rows) {
  ModelError error;
  error.rows = rows.size();
  for (const ModelRow& row : rows) {
    const double one = std::abs(model.wall_s(row.work) / row.wall_s - 1);
    error.mean += one / static_cast<double>(rows.size());
    error.worst = std::max(error.worst, one);
  }
  return error;
}

std::vector<ModelError> held_out_errors(const std::vector<ModelRow>& rows, double cache_bytes, u32 cores) {
  std::set<u32> rank_counts;
  for (const ModelRow& row : rows) rank_counts.insert(row.work.ranks);
  std::vector<ModelError> errors;
  if (rank_counts.size() < 2) return errors;
  ModelError all;
  for (const u32 ranks : rank_counts) {
    std::vector<ModelRow> kept, left_out;
    for (const ModelRow& row : rows) (row.work.ranks == ranks ? left_out : kept).push_back(row);
    ModelError error = model_error(fit_model(kept, cache_bytes, cores), left_out);
    error.ranks = ranks;
    all.mean += error.mean * static_cast<double>(error.rows) / static_cast<double>(rows.size());
    all.worst = std::max(all.worst, error.worst);
    all.rows += error.rows;
    errors.push_back(error);
  }
  errors.push_back(all);
  return errors;
}

std::string term_name(Term term) {
  switch (term) {
    case Term::event:
      return "an event, state in the cache";
    case Term::cache_miss:
      return "more for an event, state outside";
    case Term::synchronise:
      return "a window, per doubling of the ranks";
    case Term::message:
      return "a message between ranks";
    case Term::switching:
      return "a window, per rank waiting for a core";
  }
  return {};
}

}  // namespace weft::tools
