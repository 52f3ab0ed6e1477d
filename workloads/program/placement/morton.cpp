// Placement "morton": nodes of a grid in the order of their interleaved coordinates (Z order).
#include "workloads/program/placement/grid_walk.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

void keep_coordinates(std::span<u32> /*coordinates*/, u32 /*bits*/) {}

[[maybe_unused]] const bool morton_registered = PlacementRegistry::instance().add(
    "morton",
    {.help = "grids: along the Z curve of Morton: bits of the coordinates interleaved, the first dimension fastest",
     .order = [](const PlacementSpec& spec) { return along_curve(spec.grid, keep_coordinates); },
     .needs = PlacementNeeds::grid,
     .of_network = true});

}  // namespace
}  // namespace weft::workloads
