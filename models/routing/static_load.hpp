// How unevenly fixed routes load the links: where a link carries the traffic of several destinations, all of its
// traffic waits for it, and no more is accepted than it carries, whatever the topology's bound is.
#pragma once

#include <optional>
#include <string>

#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// The link that fixed routes load most under uniform traffic.
struct WorstLink {
  u32 router = 0, port = 0;  ///< whose output it is
  double load_bound = 1;     ///< load in phits/node/cycle at which it is full; 1 at most
  bool exact = true;         ///< all routes were followed; else those to some destinations
  u32 destinations = 0;      ///< to which routes were followed
  double error = 0;    ///< of a sample: 95 % confidence interval of load_bound, +-. Another link may be loaded more
  u64 lost_pairs = 0;  ///< pairs of nodes that no route joins, where the network has faults
};

/// The worst link, or why there is none to tell.
struct StaticLoad {
  std::optional<WorstLink> worst;
  std::string why_not;  ///< "its routes leave a choice of ports"
};

/// Follows the routes of all nodes to all destinations if that takes no more than `most_steps` questions to the
/// routing, else to random ones: the worst link is looked for with one half of them, and its load is measured with the
/// other, so that having been chosen does not make it larger; where that is not known to half of it, there is none.
/// Nodes that do not work are left out, and pairs that no
/// route joins are counted. Rates of links are those of the topology.
[[nodiscard]] StaticLoad worst_static_link(const Topology& topology, const Routing& routing, u32 virtual_channels,
                                           u64 most_steps);

}  // namespace weft::models
