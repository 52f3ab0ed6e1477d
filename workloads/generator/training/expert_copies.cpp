// Draws the popularity of experts, and shares tokens out by it.
#include "workloads/generator/training/expert_copies.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/random.hpp"

namespace weft::workloads {
namespace {

/// Random bits of an expert of a layer, or of a step of the shuffle: other bits for each.
u64 drawn_bits(const PopularityLaw& law, u64 layer, u32 group, u32 which) {
  constexpr u32 bits_of_experts = 24;  // workload.experts is 2^20 or less
  return engine::random_bits(law.seed, group, layer << bits_of_experts | which, engine::Use::kernel);
}

std::vector<double> popularity(const PopularityLaw& law, u32 experts, u64 layer, u32 group) {
  std::vector<double> weights;
  for (u32 k = 0; k < experts; ++k) {
    const bool drawn = law.law == CountsLaw::uniform;
    weights.push_back(drawn ? engine::to_unit(drawn_bits(law, layer, group, k)) : std::pow(k + 1.0, -law.exponent));
  }
  if (law.law == CountsLaw::uniform) return weights;
  for (u32 left = experts; left > 1; --left)
    std::swap(weights[left - 1], weights[engine::scale_to(drawn_bits(law, layer, group, left), left)]);
  return weights;
}

}  // namespace

std::vector<u64> bounded_shares(const std::vector<double>& weights, u64 total, u64 most) {
  WEFT_ASSERT(static_cast<u128>(most) * weights.size() >= total);
  const auto bound = static_cast<double>(most);
  std::vector<bool> full(weights.size());
  double left = static_cast<double>(total), sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (bool more = true; more;) {
    more = false;
    const double each = sum > 0 ? left / sum : 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (full[k] || weights[k] * each <= bound) continue;
      full[k] = more = true;
      left -= bound;
      sum -= weights[k];
    }
  }
  std::vector<u64> shares;
  double part = 0;
  u64 given = 0, above = 0;
  const double each = sum > 0 ? std::max(0.0, left) / sum : 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (full[k]) {
      shares.push_back(most);
      above += most;
      continue;
    }
    part += weights[k];
    const auto up_to = static_cast<u64>(std::llround(part * each));
    shares.push_back(std::min(up_to - given, most));
    given += shares.back();
  }
  // What rounding has left or taken too much, one by one.
  u64 sum_of_all = given + above;
  for (std::size_t k = 0; sum_of_all != total; k = (k + 1) % shares.size()) {
    if (sum_of_all < total && shares[k] < most) ++shares[k], ++sum_of_all;
    if (sum_of_all > total && shares[k] > 0) --shares[k], --sum_of_all;
  }
  return shares;
}

std::vector<u64> copies_of_experts(const PopularityLaw& law, const RoutedTokens& routed, u64 layer, u32 group) {
  const auto experts = static_cast<u32>(routed.experts);
  return bounded_shares(popularity(law, experts, layer, group), routed.tokens * routed.top_k, routed.tokens);
}

}  // namespace weft::workloads
