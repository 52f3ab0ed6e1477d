// Counts, fit and errors of the performance model; see the header.
#include "tools/study/scaling/model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/error.hpp"
#include "tools/study/scaling/least_squares.hpp"

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

PerformanceModel PerformanceModel::with_a_core_each(u32 ranks) const {
  PerformanceModel model = *this;
  model.cores = ranks;
  return model;
}

namespace {

/// Every run has events; without the two that follow nothing is known about several ranks.
constexpr std::array by_need{Term::event, Term::synchronise, Term::message, Term::switching, Term::cache_miss};

/// Counts over measured time, [row][term]: a model is good where these times its coefficients are 1.
std::vector<std::array<double, terms>> relative_counts(const PerformanceModel& model,
                                                       const std::vector<ModelRow>& rows) {
  std::vector<std::array<double, terms>> all;
  for (const ModelRow& row : rows) {
    WEFT_ASSERT(row.wall_s > 0);
    all.push_back(model.counts(row.work));
    for (double& count : all.back()) count /= row.wall_s;
  }
  return all;
}

/// The columns of the terms in `kept`, [row][place in kept].
std::vector<std::vector<double>> columns_of(const std::vector<std::array<double, terms>>& relative,
                                            const std::vector<std::size_t>& kept) {
  std::vector<std::vector<double>> a;
  for (const auto& line : relative) {
    a.emplace_back();
    for (const std::size_t term : kept) a.back().push_back(line[term]);
  }
  return a;
}

/// Fits the terms that `candidates` has as fitted, at most so many of them.
PerformanceModel fit_terms(const std::vector<ModelRow>& rows, const PerformanceModel& candidates, std::size_t most) {
  WEFT_ASSERT(!rows.empty() && candidates.cores > 0);
  PerformanceModel model = candidates;
  model.seconds = {};
  const auto relative = relative_counts(model, rows);
  std::vector<std::size_t> kept;
  for (const Term wanted : by_need) {
    const auto term = static_cast<std::size_t>(wanted);
    if (model.state[term] != TermState::fitted) continue;
    const auto occurs = [term](const auto& line) { return line[term] > 0; };
    kept.push_back(term);
    if (!std::ranges::any_of(relative, occurs)) {
      model.state[term] = TermState::absent;
    } else if (kept.size() > std::max<std::size_t>(most, 1)) {
      model.state[term] = TermState::crowded;
    } else if (std::ranges::min(own_shares(columns_of(relative, kept))) < least_own_share) {
      model.state[term] = TermState::inseparable;
    } else {
      continue;
    }
    kept.pop_back();
  }
  const std::vector<double> x =
      nonnegative_least_squares(columns_of(relative, kept), std::vector<double>(rows.size(), 1.0));
  for (std::size_t ix = 0; ix < kept.size(); ++ix) model.seconds[kept[ix]] = x[ix];
  return model;
}

/// Puts the errors of a group of rows that was left out to those of the others.
void add_error(ModelError& all, const ModelError& group) {
  const auto before = static_cast<double>(all.rows), added = static_cast<double>(group.rows);
  all.mean = (all.mean * before + group.mean * added) / (before + added);
  all.worst = std::max(all.worst, group.worst);
  all.rows += group.rows;
}

}  // namespace

PerformanceModel fit_model(const std::vector<ModelRow>& rows, double cache_bytes, u32 cores) {
  return fit_terms(rows, {cache_bytes, cores, {}, {}}, rows.size() / points_per_term);
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

ModelError leave_one_out(const PerformanceModel& model, const std::vector<ModelRow>& rows) {
  ModelError all;
  if (rows.size() < 2) return all;
  for (std::size_t left_out = 0; left_out < rows.size(); ++left_out) {
    std::vector<ModelRow> kept = rows;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(left_out));
    add_error(all, model_error(fit_terms(kept, model, terms), {rows[left_out]}));
  }
  return all;
}

std::vector<ModelError> held_out_errors(const PerformanceModel& model, const std::vector<ModelRow>& rows) {
  std::set<u32> rank_counts;
  for (const ModelRow& row : rows) rank_counts.insert(row.work.ranks);
  std::vector<ModelError> errors;
  if (rank_counts.size() < 2) return errors;
  ModelError all;
  for (const u32 ranks : rank_counts) {
    std::vector<ModelRow> kept, left_out;
    for (const ModelRow& row : rows) (row.work.ranks == ranks ? left_out : kept).push_back(row);
    ModelError error = model_error(fit_terms(kept, model, terms), left_out);
    error.ranks = ranks;
    add_error(all, error);
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

std::string state_text(TermState state) {
  switch (state) {
    case TermState::fitted:
      return "fitted";
    case TermState::absent:
      return "it does not occur in them";
    case TermState::inseparable:
      return "it cannot be told from other costs";
    case TermState::crowded:
      return "too few points for so many costs";
  }
  return {};
}

}  // namespace weft::tools
