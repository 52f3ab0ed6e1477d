// Which routers of a network reach each other over its links.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Routers that each of them reaches and is reached by, [router]: a number of the group, from 0.
[[nodiscard]] std::vector<u32> router_groups(const Topology& topology);

}  // namespace weft::models
