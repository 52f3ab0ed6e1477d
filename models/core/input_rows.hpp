// Keys of the inputs of switches that forward cells, whole packets or worms.
#pragma once

#include "engine/base/setting.hpp"

namespace weft::models {

/// router.buffer_cells
[[nodiscard]] Setting buffer_row();
/// router.routing_cycles
[[nodiscard]] Setting routing_time_row();

}  // namespace weft::models
