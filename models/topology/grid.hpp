// Meshes and tori: what routers compute with that know them as grids.
#pragma once

#include <vector>

#include "models/topology/lattice.hpp"

namespace weft::models {

/// k-ary n-cube geometry (mesh or torus): router id = sum over d of coordinate[d] * (product of dims[0..d-1]).
/// Port 2*d goes up (+) in dimension d, port 2*d+1 goes down (-). A router is a node.
struct CubeGeometry {
  std::vector<u32> dims;  ///< routers in each dimension, [dimension]
  bool wraps = false;     ///< torus: every dimension is a ring
  bool one_way = false;   ///< packets go up only
};

/// A mesh or torus.
class Grid : public Lattice {
 public:
  [[nodiscard]] virtual const CubeGeometry& geometry() const = 0;
};

/// The geometry of a topology that is a grid. A Bug if it is none: routers are asked to fit first.
[[nodiscard]] const CubeGeometry& grid_geometry(const Topology& topology);

}  // namespace weft::models
