// How many runs a prediction needs, and how good they must be before numbers of ranks are recommended.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tools/study/scaling/predict.hpp"
#include "tools/study/scaling/work_law.hpp"

namespace weft::tools {

/// The fewest points (sizes x rank counts) that anything is predicted from: the terms of events, synchronisation and
/// messages must be told apart, with as many points left to check them.
inline constexpr std::size_t fewest_points = 3 * points_per_term;
/// Two rank counts above one are the fewest that show growth with the ranks; a third one judges it when one is left
/// out.
inline constexpr std::size_t fewest_rank_counts = 3;

/// Up to this mean error on what was left out of the fit, numbers of ranks are recommended. Where efficiency falls,
/// doubling the ranks changes it by a factor of 1.2 to 1.4: an error of a quarter moves the answer by one doubling.
inline constexpr double trusted_error = 0.25;
/// Ranks are recommended up to this many times those measured with a core each. Leaving out a rank count tests one
/// step between rank counts, mostly a doubling; two doublings are as far as the error above can be hoped to hold.
inline constexpr u32 trusted_stretch = 4;
/// Networks that the growth of events is taken from: two coefficients, and one network that judges them.
inline constexpr std::size_t fewest_networks = 3;

/// Throws ConfigError unless so many places (sizes x rank counts) on these rank counts are enough to predict from.
void check_enough(std::size_t places, const std::set<u32>& rank_counts);

/// Why no rank count is recommended from the points of a prediction; empty: the model is good enough.
[[nodiscard]] std::vector<std::string> distrust_of(const Prediction& prediction, const FittedModel& fitted,
                                                   const WorkLaw& law, bool network_measured);

}  // namespace weft::tools
