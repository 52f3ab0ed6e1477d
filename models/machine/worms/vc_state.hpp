// What changes at the ports of a wormhole switch with several virtual channels. Plain bytes: a checkpoint copies them.
#pragma once

#include <type_traits>

#include "engine/base/types.hpp"
#include "models/core/packet_pool.hpp"

namespace weft::models::worms {

/// A virtual channel of an input: a FIFO of packets, of which the first may be going and the last coming.
struct Lane {
  static constexpr u16 none = 0xffff;
  Tick ready_at = 0;  ///< before that the first packet does not ask for the crossbar
  u32 cells = 0;      ///< in the buffer
  u32 packets = 0;    ///< of which cells are in the buffer, or will come
  List fifo = {};
  u16 sent = 0;          ///< cells of the first packet that have left
  u16 length = 0;        ///< all of them
  u16 target = none;     ///< the channel of an output that it holds: port * channels + channel
  u16 output = 0;        ///< whose port that is
  u16 first_choice = 0;  ///< iSLIP: the channel of an output that it accepts first
  u16 unused = 0;
};

/// A virtual channel of an output, with the buffer behind it.
struct Channel {
  static constexpr u16 nobody = 0xffff, draining = 0xfffe;
  Tick free_at = 0;  ///< of links to nodes: not before that it is taken again
  i32 credits = 0;
  u16 holder = nobody;  ///< the lane whose packet holds it; draining: its tail has left, and credits are to come back
  u16 first_lane = 0;   ///< iSLIP: the lane that it is granted to first
};

/// The crossbar's side of a port.
struct Crossing {
  Tick busy_until = 0;  ///< the output
  Tick link_until = 0;  ///< the link is through with all cells that were handed to it
  u16 first_feed = 0;   ///< iSLIP: the feed that the output is granted to first
  u16 unused[3] = {};
};

/// A port of an input into the crossbar: the lanes whose channel is its number modulo router.input_speedup.
struct Feed {
  Tick busy_until = 0;
  u16 first_output = 0;   ///< iSLIP: the output that it accepts first
  u16 first_channel = 0;  ///< of its lanes with a cell for the same output: the channel whose turn it is
  u16 unused[2] = {};
};

static_assert(sizeof(Lane) == 32 && std::is_trivially_copyable_v<Lane>);
static_assert(sizeof(Channel) == 16 && std::is_trivially_copyable_v<Channel>);
static_assert(sizeof(Crossing) == 24 && sizeof(Feed) == 16);

}  // namespace weft::models::worms
