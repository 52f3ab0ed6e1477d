// Picks the multistage policy whose masks are wide enough for the largest switch of a run.
#pragma once

#include <algorithm>

#include "models/router/multistage.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Calls run.template operator()<Policy>() with the policy for small, middle or large switches.
template <class Run>
void with_multistage_policy(const Context& context, Run&& run) {
  const models::TreeGeometry& tree = *context.topology->tree();
  u32 ports = 0;
  for (std::size_t level = 0; level < tree.down.size(); ++level) {
    ports = std::max(ports, tree.down[level] + tree.up[level]);
  }
  const u32 channels = ports * context.router.virtual_channels;
  if (channels < 64) return run.template operator()<models::MultistagePolicy<1>>();
  if (channels < 4 * 64) return run.template operator()<models::MultistagePolicy<4>>();
  run.template operator()<models::MultistagePolicy<32>>();
}

}  // namespace weft::tools
