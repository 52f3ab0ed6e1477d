// Placement "quadrant": INSEE's, a grid cut into two in each dimension; a job can have a part to itself.
#include "workloads/program/placement/grid_walk.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

/// The first half of an odd side is the smaller one. Sides of one node are not cut.
u64 quadrant_of(std::span<const u32> at, const std::vector<u32>& grid) {
  u64 quadrant = 0, halves = 1;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (grid[d] == 1) continue;
    if (at[d] >= grid[d] / 2) quadrant += halves;
    halves *= 2;
  }
  return quadrant;
}

[[maybe_unused]] const bool quadrant_registered = PlacementRegistry::instance().add(
    "quadrant", {.help = "grids: halves in each dimension make 2, 4, 8... parts, which are filled one after the other",
                 .order =
                     [](const PlacementSpec& spec) {
                       return by_key(spec.grid,
                                     [&spec](std::span<const u32> at) { return quadrant_of(at, spec.grid); });
                     },
                 .needs = PlacementNeeds::grid,
                 .of_network = true});

}  // namespace
}  // namespace weft::workloads
