// How many shortest routes there are between nodes that are far apart: what sources can choose from.
#pragma once

#include <optional>

#include "models/topology/topology.hpp"

namespace weft::tools {

/// From the router of node 0 to the routers with nodes that are farthest from it.
struct ShortestRoutes {
  u32 links = 0;               ///< between routers, on each of them
  double least = 1, most = 1;  ///< routes to one of those routers; parallel links count each
};
/// Memory and time: routers and ports; networks of more than 4,194,304 routers are not counted.
[[nodiscard]] std::optional<ShortestRoutes> shortest_routes_of(const models::Topology& topology);

}  // namespace weft::tools
