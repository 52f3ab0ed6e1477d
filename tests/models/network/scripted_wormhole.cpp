// Wormhole switches with scripted traffic.
#include "models/machine/worms/worm_network.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool scripted_wormhole_registered =
    ScriptedLoops::instance().add("wormhole", {run_network<worms::WormNetwork<ScriptedHost>>});

}  // namespace
}  // namespace weft::models::testing
