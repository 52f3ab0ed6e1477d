// Placement "diagonal": diagonals of a grid one after the other, from the node at its corner.
#include <numeric>

#include "workloads/program/placement/grid_walk.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool diagonal_registered = PlacementRegistry::instance().add(
    "diagonal", {.help = "grids: by the sum of the coordinates, nodes of the same sum by number",
                 .order =
                     [](const PlacementSpec& spec) {
                       return by_key(spec.grid, [](std::span<const u32> at) {
                         return std::accumulate(at.begin(), at.end(), u64{0});
                       });
                     },
                 .needs = PlacementNeeds::grid,
                 .of_network = true});

}  // namespace
}  // namespace weft::workloads
