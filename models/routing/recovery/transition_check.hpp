// Whether packets can come to wait for one another in a cycle while forwarding tables are changed under them.
#pragma once

#include <vector>

#include "models/routing/channel_search.hpp"
#include "models/routing/table_routes.hpp"

namespace weft::models {

struct TransitionFindings {
  bool checked = false;              ///< false: the network is too large for that
  std::vector<WaitingPacket> cycle;  ///< as ChannelFindings::cycle; empty: there is none
};

/// All switches take new tables at once, and packets keep their layer: one between two nodes can be at any switch of
/// its old route, with more of it behind (wormholes), and goes on from there by the new tables; others follow on new
/// routes.
/// Looks for a cycle of channels in all of that together.
[[nodiscard]] TransitionFindings check_transition(const Topology& topology, const TableRoutes& before,
                                                  const TableRoutes& after, u32 channels);

}  // namespace weft::models
