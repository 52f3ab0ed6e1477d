// Forwarding tables of a network, with the virtual layers that keep their routes free of deadlock: those of a real
// fabric, or those that a routing engine makes for the topology, as a subnet manager would.
#pragma once

#include <optional>
#include <string>

#include "engine/base/setting.hpp"
#include "models/routing/settings.hpp"
#include "models/subnet/engine/virtual_layers.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Tables by the numbers of nodes: target n is node n.
struct TableRoutes {
  Subnet subnet;
  ForwardingTables tables;
  RouteLayers layers;  ///< at most as many as there are virtual channels
  std::string engine;  ///< whose they are; "tables": the fabric's own
};

/// router.engine, of the kinds that have such tables.
[[nodiscard]] Setting engine_row();
/// What is wrong with its value: nothing, or the reason and what to do.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> engine_problem(const std::string& engine);

/// The tables that the settings ask for; `one_layer`: without any that keep them free of deadlock. Throws ConfigError
/// for a network that is too large for tables and for routes that need more layers than there are channels.
[[nodiscard]] TableRoutes table_routes(const Topology& topology, const RouterSettings& settings,
                                       bool one_layer = false);

}  // namespace weft::models
