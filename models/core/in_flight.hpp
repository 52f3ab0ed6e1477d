// Where packets are between their source and their destination, as any network model reports it.
#pragma once

#include "engine/base/types.hpp"

namespace weft::models {

/// A first packet that cannot move, for the report on a deadlock.
struct Blocked {
  u32 entity = 0, input = 0;            ///< where it waits: global entity, input index
  u32 next_entity = 0, next_input = 0;  ///< the queue that it wants free space in
  u32 to = 0;                           ///< destination node
};

/// Packets that are somewhere between their source and their destination.
struct InFlight {
  u64 queued = 0;       ///< wait in injection queues
  u64 network = 0;      ///< their header has left the injection queue
  Tick oldest_age = 0;  ///< ticks from the generation of the oldest of them
};

}  // namespace weft::models
