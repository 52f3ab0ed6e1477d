// Placement "hilbert": nodes of a grid along a Hilbert curve; tasks that are near in number are near in the network.
#include "workloads/program/placement/grid_walk.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

/// Coordinates to the place on the curve, transposed: J. Skilling, "Programming the Hilbert curve", AIP Conf. Proc.
/// 707, 381 (2004). From the coarsest level on, each cube is turned and mirrored as its place on the curve asks; what
/// is left is Gray code.
void place_on_hilbert_curve(std::span<u32> x, u32 bits) {
  const u32 top = 1U << (bits - 1);
  for (u32 level = top; level > 1; level /= 2) {
    const u32 finer = level - 1;
    for (u32& axis : x) {
      if ((axis & level) != 0) {
        x[0] ^= finer;  // mirrored
      } else {
        const u32 exchanged = (x[0] ^ axis) & finer;
        x[0] ^= exchanged;
        axis ^= exchanged;
      }
    }
  }
  for (std::size_t d = 1; d < x.size(); ++d) x[d] ^= x[d - 1];
  u32 carried = 0;
  for (u32 level = top; level > 1; level /= 2) {
    if ((x.back() & level) != 0) carried ^= level - 1;
  }
  for (u32& axis : x) axis ^= carried;
}

[[maybe_unused]] const bool hilbert_registered = PlacementRegistry::instance().add(
    "hilbert",
    {.help = "grids: along a Hilbert curve; where sides are the same power of two, each node is beside the one before",
     .order = [](const PlacementSpec& spec) { return along_curve(spec.grid, place_on_hilbert_curve); },
     .needs = PlacementNeeds::grid,
     .of_network = true});

}  // namespace
}  // namespace weft::workloads
