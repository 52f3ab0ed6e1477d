// What switches of cells and their nodes send each other.
#pragma once

#include "engine/base/types.hpp"
#include "models/routing/route_state.hpp"

namespace weft::models::cells {

/// The first cell of a packet is in the buffer of an input.
template <class Packet>
struct CellArrival {
  u32 entity;
  u32 port;
  Packet packet;
};

/// A node has the last cell of a packet.
template <class Packet>
struct CellTaken {
  u32 entity;
  Packet packet;
};

/// Credits for the cells of a packet: the first is there, the others follow `spacing` ticks apart; or all are there.
struct CellCredit {
  u32 entity;
  u16 port, vc;
  u32 cells, spacing;
  static constexpr u32 at_once = 0;
};

/// What a source is to know of a packet that has been delivered, on its way there.
struct CellAnswer {
  u32 entity;
  u32 port;
  u32 from, to;           ///< nodes
  u64 generated_at;       ///< of the packet
  RouteState state = {};  ///< of its own path
  u16 cells;              ///< of the packet
  u8 vc = 0;              ///< channel that it would have come on, were it a packet
  u8 marked = 0;          ///< 1: the packet was marked, and this notifies its source
};

/// Look at the entity.
struct CellWake {
  u32 entity;
};

}  // namespace weft::models::cells
