// What is kept of a rotary router: plain bytes of one size, so that a checkpoint is a copy of them.
#pragma once

#include <cstddef>
#include <type_traits>

#include "engine/base/types.hpp"
#include "models/nic/endpoints.hpp"

namespace weft::models::rotary {

inline constexpr u32 rings = 2, lanes = 2;

/// What is known of the whole router; ports, buffers and packets follow.
struct RouterState {
  Tick wake = never;               ///< the earliest Wake that is scheduled
  Tick next_step = 0;              ///< when packets may move again: a cycle after the last of them did
  endpoint::FreeSpace free_space;  ///< of the injection queue
  u32 global = 0;
  u32 work = 0;          ///< packets put on links
  u32 packets = 0;       ///< anywhere in the router
  u32 free[rings] = {};  ///< places in the buffers of a ring
  u32 unused = 0;
};
static_assert(sizeof(RouterState) == 48 && std::is_trivially_copyable_v<RouterState>);

/// Packets in a piece of memory, first in first out.
struct Fifo {
  u16 head = 0, count = 0;
};

/// A port, [place on the circle]: the input stage, and the output stage with a queue for each ring.
struct PortState {
  Tick busy_until = 0;   ///< the link, or the node
  Tick stage_until = 0;  ///< the input stage hands a packet over until then
  u32 credits = 0;       ///< packets that the far input stage has a place for; of the node: 1 if it works
  Fifo in;
  Fifo out[rings];
  u8 there = 0;  ///< 1: the port has a link, or is that of a node, that works as far as is known here
  u8 turn = 0;   ///< ring whose queue is served first
  u8 unused[6] = {};
};
static_assert(sizeof(PortState) == 40 && std::is_trivially_copyable_v<PortState>);

/// One of the two memories of a dual-port buffer.
struct Lane {
  Tick read_until = 0, written_until = 0;  ///< a packet leaves, or comes in, until then
  Fifo queue;
  u32 unused = 0;
};

/// A dual-port buffer, [ring][place]: two packets may come in at a time, from its input stage and from the buffer
/// before, and two may leave, to its output stage and to the next buffer.
struct BufferState {
  Tick out_until = 0, ring_until = 0;  ///< the way to the output stage, and to the next buffer
  Lane lane[lanes];
  u32 count = 0;  ///< packets
  u32 turn = 0;   ///< lane that is served first
};
static_assert(sizeof(BufferState) == 72 && std::is_trivially_copyable_v<BufferState>);

/// Where what is in a router's block.
struct BlockShape {
  u32 places = 0;                                        ///< on the circle
  u32 queue = 0, injection = 0, buffer = 0, output = 0;  ///< packets
  std::size_t packet_bytes = 0;

  [[nodiscard]] std::size_t port_at(u32 place) const { return sizeof(RouterState) + place * sizeof(PortState); }
  [[nodiscard]] std::size_t buffer_at(u32 ring, u32 place) const {
    return port_at(places) + (ring * places + place) * sizeof(BufferState);
  }
  /// When headers in lanes may go on: a tick for each place of a lane.
  [[nodiscard]] std::size_t ready_at(u32 ring, u32 place, u32 lane) const {
    return buffer_at(rings, 0) + ((ring * places + place) * lanes + lane) * buffer * sizeof(Tick);
  }
  [[nodiscard]] std::size_t lane_at(u32 ring, u32 place, u32 lane) const {
    return ready_at(rings, 0, 0) + ((ring * places + place) * lanes + lane) * buffer * packet_bytes;
  }
  [[nodiscard]] std::size_t out_at(u32 place, u32 ring) const {
    return lane_at(rings, 0, 0) + (place * rings + ring) * output * packet_bytes;
  }
  /// Input stages: those of links by place, the node's last.
  [[nodiscard]] std::size_t in_at(u32 number) const {
    return out_at(places, 0) + std::size_t{number} * queue * packet_bytes;
  }
  [[nodiscard]] std::size_t bytes() const { return (in_at(places - 1) + injection * packet_bytes + 63) / 64 * 64; }
};

}  // namespace weft::models::rotary
