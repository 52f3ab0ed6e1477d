// How unevenly fixed routes load the links: where a link carries the traffic of several destinations, all of its
// traffic waits for it, and no more is accepted than it carries, whatever the topology's bound is.
#pragma once

#include <optional>

#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// The link that fixed routes load most under uniform traffic.
struct WorstLink {
  u32 router = 0, port = 0;  ///< whose output it is
  double load_bound = 1;     ///< load in phits/node/cycle at which it is full; 1 at most
};

/// Follows the routes from and to the nodes of some routers, spread evenly, to and from all others: of small networks
/// all of them. The links at those routers are counted in full, so that the bound holds however few they are. Nothing
/// if routes are left a choice of ports, by draws or by occupancy, or if a sample of one router takes more than
/// `most_steps` questions to the routing.
[[nodiscard]] std::optional<WorstLink> worst_static_link(const Topology& topology, const Routing& routing,
                                                         u32 virtual_channels, u64 most_steps);

}  // namespace weft::models
