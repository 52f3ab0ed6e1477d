// What partitions are judged by.
#pragma once

#include <vector>

#include "models/topology/part_of.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// Part of each router, [router]; empty if there is no partition.
inline std::vector<u32> table(const Topology& topology, const PartOf& part_of) {
  std::vector<u32> part;
  for (u32 r = 0; part_of && r < topology.routers(); ++r) part.push_back(part_of(r));
  return part;
}

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

inline u64 cut_links(const Topology& topology, const PartOf& part_of) {
  return cut_links(topology, table(topology, part_of));
}

/// Routers of each part, [part].
inline std::vector<u32> sizes(const std::vector<u32>& part, u32 parts) {
  std::vector<u32> count(parts);
  for (const u32 p : part) ++count.at(p);
  return count;
}

}  // namespace weft::models::testing
