// What nodes and switches of cells have found when they choose what goes next.
#pragma once

#include "engine/base/types.hpp"
#include "models/core/packet_pool.hpp"
#include "models/routing/routing.hpp"

namespace weft::models::cells {

/// The first packet of a queue of a node that congestion control lets go.
struct MaySend {
  u32 before = List::none;  ///< the packet that it follows in the queue (the first follows the last); none: no packet
  Tick later = never;       ///< when one before it may go, at the earliest
};

/// The channel with most free space of those that CellNetwork::offer has shown it, the first of several.
struct MostSpace {
  i64 most;                          ///< its free space; to begin with, one less than the packet needs
  u32 candidate = Candidates::none;  ///< port * channels + vc; none if none has had free space
};

/// What a packet has on the link that it takes.
struct OnLink {
  u8 vc;
  bool marked = false;  ///< by this switch, or before
};

/// A packet that is available for an output.
struct Offer {
  u16 output;
  u8 vl;      ///< of the link behind it
  u32 queue;  ///< number of its queue: input * channels + lane
  u32 at;     ///< in the pool
};

}  // namespace weft::models::cells
