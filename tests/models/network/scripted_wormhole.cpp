// Wormhole switches with scripted traffic.
#include "models/machine/worms/vc_network.hpp"
#include "models/machine/worms/worm_network.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

Result run(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  if (setup.router.virtual_channels == 1) return run_network<worms::WormNetwork<ScriptedHost>>(setup, topology, script);
  return run_network<worms::VcNetwork<ScriptedHost>>(setup, topology, script);
}

[[maybe_unused]] const bool scripted_wormhole_registered = ScriptedLoops::instance().add("wormhole", {run});

}  // namespace
}  // namespace weft::models::testing
