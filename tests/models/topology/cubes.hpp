// Meshes and tori by their dimensions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// A topology of kind "mesh" or "torus".
inline std::unique_ptr<Topology> make_cube(const std::string& kind, std::vector<i64> dims) {
  return make_topology({kind, {{"dims", std::move(dims)}}});
}

}  // namespace weft::models::testing
