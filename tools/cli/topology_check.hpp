// Checks that a topology is what it says: links lead back, nodes are found where they are said to be, counts agree.
#pragma once

#include "engine/base/types.hpp"
#include "models/topology/topology.hpp"

namespace weft::tools {

/// Above so many routers (or nodes) a well spread sample of so many is checked instead of all.
inline constexpr u32 most_checked = u32{1} << 16;

/// What was checked, and the ports on the way.
struct WiringCheck {
  u32 routers = 0;   ///< checked
  u32 nodes = 0;     ///< checked
  u64 ports = 0;     ///< of the checked routers
  bool all = false;  ///< nothing was left out, so that the numbers of links could be compared too
};

/// Checks for each router: every connected port leads to a router whose port leads back, or to a node that names this
/// port; the link carries packets one way at least. For each node: its router's port leads to it. With all routers
/// checked: the number of links is as stated, and each node has one. Throws Bug with the router and port if the
/// topology contradicts itself.
[[nodiscard]] WiringCheck check_wiring(const models::Topology& topology, u32 most = most_checked);

/// Ports of routers: the least, the most and the sum over all of them.
struct PortCounts {
  u32 least = 0;
  u32 most = 0;
  u64 total = 0;
};
[[nodiscard]] PortCounts count_ports(const models::Topology& topology);

}  // namespace weft::tools
