// Picks the multistage policy whose masks are wide enough for the largest switch of a run.
#pragma once

#include "models/router/mask_words.hpp"
#include "models/router/multistage.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Calls run.template operator()<Policy>() with the policy for small, middle or large switches.
template <class Run>
void with_multistage_policy(const Context& context, Run&& run) {
  const u32 channels = models::most_channels(*context.topology, context.router.virtual_channels);
  models::with_mask_words<models::SwitchWords>(
      channels, [&]<unsigned Words>() { run.template operator()<models::MultistagePolicy<Words>>(); });
}

}  // namespace weft::tools
