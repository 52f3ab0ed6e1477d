// Shares routes out over virtual layers so that in none of them packets can wait for each other in a cycle.
#pragma once

#include "models/subnet/engine/routing_engine.hpp"

namespace weft::models {

/// Layers for the routes of all hosts to all targets. As long as the dependencies between the channels of a layer (one
/// route leaves the first for the second) close a cycle, the routes that make the weakest dependency in it (fewest
/// routes; the first of equals) go to the next layer. Routes that do not arrive count for nothing. Throws ConfigError
/// if `most_layers` are not enough. With one-way links: layers_longest_first.
[[nodiscard]] RouteLayers break_cycles(const Subnet& subnet, const ForwardingTables& tables, u32 most_layers);

}  // namespace weft::models
