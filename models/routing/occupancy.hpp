// Occupancy of the outputs of a router, for routings that decide by it.
#pragma once

#include "engine/base/types.hpp"

namespace weft::models {

/// What a router knows of its outputs when a packet is routed: what Routing::decide goes by. In cells (phits).
class Occupancy {
 public:
  virtual ~Occupancy() = default;
  /// In the buffers of this router: what waits for the link of a port, whatever its channel.
  [[nodiscard]] virtual u32 waiting(u32 port) const = 0;
  /// What is taken of the buffer behind a channel of a port, as far as the credits say that have come.
  [[nodiscard]] virtual u32 taken(u32 port, u32 channel) const = 0;
  /// Both, of all channels of a port.
  [[nodiscard]] virtual u32 load(u32 port) const = 0;
  /// What waits in the router behind `port` for its output `far_port`, by the last update from there
  /// (Routing::notifies): some time ago, rounded down.
  [[nodiscard]] virtual u32 remote_waiting(u32 port, u32 far_port) const = 0;
};

}  // namespace weft::models
