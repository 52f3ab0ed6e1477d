// Meshes and tori by their dimensions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// A topology of kind "mesh" or "torus".
inline std::unique_ptr<Topology> make_cube(const std::string& kind, std::vector<i64> dims) {
  TopologySpec spec;
  spec.kind = kind;
  spec.dims = std::move(dims);
  return make_topology(spec);
}

}  // namespace weft::models::testing
