// The link out of a port of a switch or node, where cells are what travels.
#pragma once

#include "engine/base/types.hpp"
#include "engine/kernel.hpp"

namespace weft::models {

/// What links a port with another; the same all the time.
struct Wire {
  engine::Address peer;  ///< the entity at the far end
  u32 peer_port = 0;     ///< its port there
  u32 ticks = 0;         ///< latency
  u32 cell_ticks = 1;    ///< that a cell takes
  u32 cross_ticks = 1;   ///< that a cell takes through the crossbar to this port; as cell_ticks without a speed-up
  bool connected = false;
  bool to_node = false;  ///< a node takes what comes: no credits
};

}  // namespace weft::models
