// Picks the multistage policy whose masks are wide enough for the largest switch of a run.
#pragma once

#include "models/machine/packets/mask_words.hpp"
#include "models/machine/packets/multistage.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// Whether masks of `Words` words are those for a run.
template <unsigned Words>
[[nodiscard]] bool is_multistage_policy(const Context& context) {
  if (models::is_plain(*context.topology, context.router)) return false;
  return models::with_mask_words<models::SwitchWords>(
      models::most_channels(*context.topology, context.router.virtual_channels),
      []<unsigned Wanted>() { return Wanted == Words; });
}

}  // namespace weft::tools
