// How many tokens go to which expert where experts are not equally popular.
#pragma once

#include <vector>

#include "engine/base/types.hpp"
#include "workloads/generator/collective/piece_counts.hpp"

namespace weft::workloads {

/// By what the popularity of the experts of a layer is drawn, for each layer and each group of accelerators that has
/// its experts.
struct PopularityLaw {
  CountsLaw law = CountsLaw::zipf;
  double exponent = 1;  ///< zipf: the kth in a random order is 1 / k^exponent as popular as the first
  u64 seed = 1;
};

/// Whole numbers that add up to `total`, in proportion to `weights` but none more than `most`: what is above goes to
/// the others in their proportion. `most` times their number is `total` or more.
[[nodiscard]] std::vector<u64> bounded_shares(const std::vector<double>& weights, u64 total, u64 most);

/// Tokens of an accelerator: so many, each to `top_k` of the experts.
struct RoutedTokens {
  u64 tokens = 0, top_k = 1, experts = 1;
};
/// [expert] copies of the tokens: top_k times as many as tokens in all, none gets a token twice.
[[nodiscard]] std::vector<u64> copies_of_experts(const PopularityLaw& law, const RoutedTokens& routed, u64 layer,
                                                 u32 group);

}  // namespace weft::workloads
