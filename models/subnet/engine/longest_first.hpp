// Virtual layers for fabrics with one-way links, whose rings need more of them than breaking cycles one by one finds.
#pragma once

#include "models/subnet/engine/routing_engine.hpp"

namespace weft::models {

/// Layers for the routes of all hosts to all targets, as many as it takes: each goes to the first in which it closes no
/// cycle of channels, the longest ones first, as they fit into fewest (T. Skeie, O. Lysne, I. Theiss, "Layered shortest
/// path (LASH) routing in irregular system area networks", IPDPS 2002). An 8x8 torus of one-way rings takes 4, as few
/// as there can be. Routes that do not arrive count for nothing. Throws ConfigError for a fabric that is too large.
[[nodiscard]] RouteLayers layers_longest_first(const Subnet& subnet, const ForwardingTables& tables);

}  // namespace weft::models
