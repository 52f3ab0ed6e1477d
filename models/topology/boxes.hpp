// Cuts meshes and tori into boxes of routers, one for each rank, from their dimensions alone: no graph is built.
#pragma once

#include "models/topology/grid.hpp"
#include "models/topology/part_of.hpp"

namespace weft::models {

/// The cube is halved again and again, each time across the dimension that cuts the fewest links (recursive coordinate
/// bisection; Berger and Bokhari, IEEE Trans. Computers 1987), in proportion to the parts on either side. Empty if the
/// routers cannot be shared out like that: more parts than routers, or a dimension too short.
[[nodiscard]] PartOf box_partition(const CubeGeometry& cube, u32 parts);

}  // namespace weft::models
