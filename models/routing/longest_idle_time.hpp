// How long a network that works may go without delivering a packet: what tells one that is slow from one that is stuck.
#pragma once

#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Ticks from a packet's generation, or from the last delivery, to the next one at most, where packets do not wait for
/// each other: all latencies, the slowest links, the longest route, what routers take, and what keeps sources from
/// sending (RouterKind::idle).
[[nodiscard]] Tick longest_idle_time(const Topology& topology, const RouterSettings& settings);

}  // namespace weft::models
