// Which of the two machines wormhole switches of a run are.
#pragma once

#include "tools/run/context.hpp"

namespace weft::tools {

/// Cells of links with one virtual channel go in runs (models::worms::WormNetwork),
[[nodiscard]] inline bool have_one_channel(const Context& context) { return context.router.virtual_channels == 1; }
/// those of several one by one (models::worms::VcNetwork).
[[nodiscard]] inline bool have_channels(const Context& context) { return !have_one_channel(context); }

}  // namespace weft::tools
