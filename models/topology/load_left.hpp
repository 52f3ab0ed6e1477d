// What the links that are left of a network with failed ones carry at most of uniform traffic.
#pragma once

#include <string>

#include "models/topology/topology.hpp"

namespace weft::models {

struct LoadLeft {
  double bound = 1;  ///< phits/node/cycle
  std::string why;   ///< what is full then: "the links of router 3"
  u32 nodes = 0;     ///< that work and are joined, among which the traffic is
};

/// An upper bound whatever the routes are, by counting links: of n nodes that send to each other, s on one side of a
/// cut send s * (n - s) / (n - 1) of what each sends over it. Cuts are around each router, around blocks of
/// regular_partition, around groups of nodes, and around slabs of a grid whose nodes are in their routers; in networks
/// of up to 4,096 routers the links of the shortest paths that are left count as well: packets take at least so many.
/// The bound of the whole network holds, too, as long as all nodes are there.
[[nodiscard]] LoadLeft load_left(const Topology& topology);

}  // namespace weft::models
