// What a NIC keeps of a node that it exchanges packets with.
#pragma once

#include <type_traits>

#include "engine/base/types.hpp"

namespace weft::models::endpoint {

/// What a packet is to NICs that choose paths.
enum class PacketUse : u8 { data, probe, answer };

/// What NICs write into packets, by their use.
union NicHeader {
  u32 number = 0;   ///< data: of the packet among those of its source to its destination
  u32 probe_ticks;  ///< answer: how long the probe has travelled
};

/// Plain bytes: a checkpoint copies it. docs/myrinet.md has the rules.
struct Peer {
  static constexpr u32 none = ~u32{0};

  u32 node = 0;
  u32 routes = 0;        ///< to it
  u32 route = none;      ///< that packets take; none: nothing was sent yet
  u32 stopped = 0;       ///< packets, of those that count
  u32 threshold = 0;     ///< packets
  u32 sent = 0;          ///< packets of data; numbers the next
  u32 expected = 0;      ///< one more than the highest number that came from there
  u32 candidate = none;  ///< route of the probe that is in flight; none: there is none
  u32 tries = 0;         ///< probes in a row
  u32 first = 0;         ///< of a subset: the pair's route that is number 0 here
  u32 chosen = 0;        ///< 1: `route` is that of the next packet, which waits until it is in the NIC's memory
  Tick there_at = 0;     ///< when it is
};
static_assert(sizeof(Peer) == 56 && std::is_trivially_copyable_v<Peer>);

}  // namespace weft::models::endpoint
