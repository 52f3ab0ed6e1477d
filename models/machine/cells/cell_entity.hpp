// A switch of cells, a node, or (where nodes sit inside routers) both.
#pragma once

#include "models/core/packet_pool.hpp"
#include "models/nic/endpoints.hpp"

namespace weft::models::cells {

/// What is kept of an entity besides its ports and queues. Plain bytes: a checkpoint copies it.
struct CellEntity {
  Tick wake = never;               ///< the earliest Wake that is scheduled
  Tick busy_until = 0;             ///< from then on the crossbar takes no cell of those that have begun to cross
  endpoint::FreeSpace free_space;  ///< of the node's queue
  u32 global = 0;
  u32 first_port = 0;    ///< in ports_
  u32 first_mask = 0;    ///< in masks_
  u32 matches = 0;       ///< ticks in which inputs and outputs were matched: numbers the draws
  u32 work = 0;          ///< packets put on links
  u32 waiting = 0;       ///< packets in the node's queues
  u16 switch_ports = 0;  ///< 0: a node alone
  u8 has_node = 0;
  u8 retry = 0;       ///< 1: credits have come in this tick that packets may wait for to be routed
  u8 class_turn = 0;  ///< the traffic class that the node looks at first
  u8 took = 0;        ///< 1: a packet has taken credits of an output in this tick
  List node_queue;    ///< the first
};

}  // namespace weft::models::cells
