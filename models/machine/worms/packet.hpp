// What travels between wormhole switches.
#pragma once

#include "models/nic/peer.hpp"
#include "models/routing/route_state.hpp"

namespace weft::models::worms {

/// The host's packet, its route, how long it is, and what NICs know it by.
template <class HostPacket>
struct WormPacket : HostPacket {
  RouteState state;
  u16 cells = 1;
  endpoint::PacketUse use = endpoint::PacketUse::data;
  endpoint::NicHeader nic = {};
  static constexpr u8 traffic_class = 0;  ///< there is one
};

}  // namespace weft::models::worms
