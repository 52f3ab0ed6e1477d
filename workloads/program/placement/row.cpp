// Placement "row": rows of a grid one after the other.
#include "workloads/program/placement/grid_walk.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool row_registered = PlacementRegistry::instance().add(
    "row",
    {.help = "grids: along the first dimension, then the second..., as nodes are numbered",
     .order = [](const PlacementSpec& spec) { return by_key(spec.grid, [](std::span<const u32>) { return u64{0}; }); },
     .needs = PlacementNeeds::grid,
     .of_network = true});

}  // namespace
}  // namespace weft::workloads
