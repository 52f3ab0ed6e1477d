// Ways through the nodes of a grid: what placements on grids and along curves share.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// The nodes of a grid in the order of `key(coordinates)`, by number among equals.
[[nodiscard]] std::vector<NodeId> by_key(const std::vector<u32>& grid,
                                         const std::function<u64(std::span<const u32> coordinates)>& key);

/// The nodes of a grid along a curve through the cube of 2^bits places a side that encloses it, without what is
/// outside. Dimensions of one node do not count. `transpose` turns the coordinates, the last dimension first, into the
/// place on the curve: bit b of all of them, the first most significant, are digit b of the place.
[[nodiscard]] std::vector<NodeId> along_curve(const std::vector<u32>& grid,
                                              void (*transpose)(std::span<u32> coordinates, u32 bits));

}  // namespace weft::workloads
