// Keys of switches that forward cells, whole packets or worms.
#pragma once

#include "engine/base/setting.hpp"

namespace weft::models {

/// router.buffer_cells
[[nodiscard]] Setting buffer_row();
/// router.routing_cycles
[[nodiscard]] Setting routing_time_row();
/// router.iterations
[[nodiscard]] Setting iterations_row();
/// router.speedup
[[nodiscard]] Setting speedup_row();
/// router.output_buffer_cells
[[nodiscard]] Setting output_buffer_row();

}  // namespace weft::models
