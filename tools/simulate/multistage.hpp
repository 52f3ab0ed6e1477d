// Picks the multistage policy whose masks are wide enough for the largest switch of a run.
#pragma once

#include <type_traits>

#include "models/router/mask_words.hpp"
#include "models/router/multistage.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Calls run.template operator()<Policy>() with the policy for small, middle or large switches.
template <class Run>
void with_multistage_policy(const Context& context, Run&& run) {
  const u32 channels = models::most_channels(*context.topology->tree(), context.router.virtual_channels);
  models::with_mask_words(channels,
                          [&]<unsigned Words>() { run.template operator()<models::MultistagePolicy<Words>>(); });
}

/// Whether `Policy` is the one for a run.
template <class Policy>
bool is_multistage_policy(const Context& context) {
  bool same = false;
  with_multistage_policy(context, [&]<class Picked>() { same = std::is_same_v<Picked, Policy>; });
  return same;
}

}  // namespace weft::tools
