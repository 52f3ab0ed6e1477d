// The wires of an entity of switches of cells and of wormhole switches.
#pragma once

#include <vector>

#include "models/core/layout.hpp"
#include "models/core/wire.hpp"
#include "models/routing/settings.hpp"

namespace weft::models {

/// An entity is a switch, a node, or (where nodes sit inside routers) both. Its ports: those of the switch's links,
/// then the switch's port to the node inside it, then the node's own.
struct EntityWires {
  u32 global = 0;        ///< number in the whole network: routers, then nodes
  u16 switch_ports = 0;  ///< 0: a node alone
  bool has_node = false;
  std::vector<Wire> wires;  ///< [port]
};

/// `speedup`: of crossbars, a divisor of all cell times.
[[nodiscard]] EntityWires wires_of(const Topology& topology, const RouterSettings& settings, const Layout& layout,
                                   u32 entity, u32 speedup = 1);

}  // namespace weft::models
