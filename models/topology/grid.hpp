// Meshes and tori: what routers compute with that know them as grids.
#pragma once

#include <vector>

#include "models/topology/lattice.hpp"

namespace weft::models {

/// k-ary n-cube geometry (mesh, torus, or rings in some dimensions): router id = sum over d of coordinate[d] * (product
/// of dims[0..d-1]). Port 2*d goes up (+) in dimension d, port 2*d+1 goes down (-). A router is a node.
struct CubeGeometry {
  std::vector<u32> dims;  ///< routers in each dimension, [dimension]
  u32 rings = 0;          ///< bit d: dimension d is a ring; the others are lines
  bool one_way = false;   ///< packets go up only

  static constexpr u32 every_dimension = ~0U;  ///< of `rings`: a torus
  [[nodiscard]] bool wraps(u32 d) const { return (rings >> d & 1) != 0; }
};

/// A mesh or torus.
class Grid : public Lattice {
 public:
  [[nodiscard]] virtual const CubeGeometry& geometry() const = 0;
};

/// The geometry of a topology that is a grid. A Bug if it is none: routers are asked to fit first.
[[nodiscard]] const CubeGeometry& grid_geometry(const Topology& topology);

}  // namespace weft::models
