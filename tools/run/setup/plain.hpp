// Which of the loops of plain routers fits a run: by the width of masks.
#pragma once

#include "models/machine/packets/mask_words.hpp"
#include "models/machine/packets/plain.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

template <unsigned Words>
[[nodiscard]] bool is_plain_policy(const Context& context) {
  return models::is_plain(*context.topology, context.router) &&
         models::with_mask_words<models::PlainWords>(
             models::most_channels(*context.topology, context.router.virtual_channels),
             []<unsigned Wanted>() { return Wanted == Words; });
}

}  // namespace weft::tools
