// Bubble routers with scripted traffic, and the choice of their loops.
#include "models/machine/packets/bubble.hpp"
#include "models/topology/grid.hpp"
#include "tests/models/network/scripted_sized_bubble.hpp"

namespace weft::models::testing {
namespace {

Result run_bubble(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  if (!setup.sized) return run_policy<BubblePolicy>(setup, topology, script);
  if (grid_geometry(topology).dims.size() == 2) return run_sized_bubble<2>(setup, topology, script);
  return run_sized_bubble<3>(setup, topology, script);
}

[[maybe_unused]] const bool scripted_bubble_registered = ScriptedLoops::instance().add("bubble", {run_bubble});

}  // namespace
}  // namespace weft::models::testing
