// Checks of runs and models; see the header.
#include "tools/study/scaling/trust.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"

namespace weft::tools {
namespace {

/// What a prediction needs to know that the runs do not tell.
std::vector<std::string> unknown_costs(const Prediction& prediction, const PerformanceModel& model) {
  std::vector<std::string> reasons;
  for (std::size_t term = 0; term < terms; ++term) {
    const TermState state = model.state[term];
    const auto needed = [&](const PredictedPoint& point) {
      return model.with_a_core_each(point.work.ranks).counts(point.work)[term] > 0;
    };
    const bool unneeded = state == TermState::absent && std::ranges::none_of(prediction.points, needed);
    if (state == TermState::fitted || unneeded) continue;
    reasons.push_back(fmt::format("the runs do not determine the cost '{}' ({})", term_name(static_cast<Term>(term)),
                                  state_text(state)));
  }
  const auto cost = [&](Term term) { return model.seconds[static_cast<std::size_t>(term)]; };
  if (cost(Term::synchronise) == 0 && cost(Term::message) == 0) {
    reasons.emplace_back("the runs show no cost of synchronisation or messages, which is what ends a speed-up");
  }
  return reasons;
}

}  // namespace

void check_enough(std::size_t places, const std::set<u32>& rank_counts) {
  if (places >= fewest_points && rank_counts.size() >= fewest_rank_counts) return;
  const bool sizes_help = rank_counts.size() >= fewest_rank_counts;
  throw ConfigError(fmt::format(
      "cannot predict from {} on the rank {} {} (a prediction needs {} points of sizes x rank counts, and {} rank "
      "counts, to fit its coefficients and to judge them); add rank counts to scaling.ranks, more than there are cores "
      "too{}",
      counted(places, "point"), rank_counts.size() == 1 ? "count" : "counts", fmt::join(rank_counts, ", "),
      fewest_points, fewest_rank_counts, sizes_help ? ", or sizes" : ""));
}

std::vector<std::string> distrust_of(const Prediction& prediction, const FittedModel& fitted, const WorkLaw& law,
                                     bool network_measured) {
  std::vector<std::string> reasons;
  const double limit = 100 * trusted_error;
  if (fitted.left_out.mean > trusted_error) {
    reasons.push_back(
        fmt::format("points left out of the fit are predicted with a mean error of {} % (at most {} % "
                    "are trusted)",
                    significant(100 * fitted.left_out.mean, 2), limit));
  }
  const ModelError* worst = nullptr;
  for (const ModelError& error : fitted.held_out) {
    if (error.ranks != 0 && (worst == nullptr || error.mean > worst->mean)) worst = &error;
  }
  if (worst != nullptr && worst->mean > trusted_error) {
    reasons.push_back(
        fmt::format("without its runs on {} the model predicts these with a mean error of {} % (at most "
                    "{} % are trusted)",
                    counted(worst->ranks, "rank"), significant(100 * worst->mean, 2), limit));
  }
  std::ranges::move(unknown_costs(prediction, fitted.model), std::back_inserter(reasons));
  if (network_measured) return reasons;
  if (law.networks < fewest_networks) {
    reasons.push_back(
        fmt::format("this network was not measured, and {} others are too few to judge the growth of events "
                    "({} are needed)",
                    law.networks, fewest_networks));
  } else if (law.events_error > trusted_error) {
    reasons.push_back(
        fmt::format("events of networks left out are predicted with a mean error of {} % (at most {} % "
                    "are trusted)",
                    significant(100 * law.events_error, 2), limit));
  }
  return reasons;
}

}  // namespace weft::tools
