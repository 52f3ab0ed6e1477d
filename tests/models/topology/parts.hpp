// What partitions are judged by.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// Links between routers of different parts.
inline u64 cut_links(const Topology& topology, const std::vector<u32>& part) {
  u64 ends = 0;
  for (u32 r = 0; r < topology.routers(); ++r) {
    for (u32 port = 0; port < topology.ports(RouterId(r)); ++port) {
      const Peer peer = topology.peer(RouterId(r), port);
      ends += peer.kind == Peer::Kind::router && part[peer.id] != part[r] ? 1 : 0;
    }
  }
  return ends / 2;
}

/// Routers of each part, [part].
inline std::vector<u32> sizes(const std::vector<u32>& part, u32 parts) {
  std::vector<u32> count(parts);
  for (const u32 p : part) ++count.at(p);
  return count;
}

}  // namespace weft::models::testing
