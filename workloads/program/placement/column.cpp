// Placement "column": columns of a grid one after the other; INSEE's, on grids that need not be square.
#include "workloads/program/placement/grid_walk.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool column_registered =
    PlacementRegistry::instance().add("column", {.help = "grids: along the last dimension, then the one before...",
                                                 .order =
                                                     [](const PlacementSpec& spec) {
                                                       return by_key(spec.grid, [&spec](std::span<const u32> at) {
                                                         u64 place = 0;
                                                         for (std::size_t d = 0; d < at.size(); ++d)
                                                           place = place * spec.grid[d] + at[d];
                                                         return place;
                                                       });
                                                     },
                                                 .needs = PlacementNeeds::grid,
                                                 .of_network = true});

}  // namespace
}  // namespace weft::workloads
