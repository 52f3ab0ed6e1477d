// SpiNNaker networks with scripted traffic.
#include "models/machine/spinnaker/spinnaker_network.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool scripted_spinnaker_registered =
    ScriptedLoops::instance().add("spinnaker", {run_network<spinnaker::SpinnakerNetwork<ScriptedHost>>});

}  // namespace
}  // namespace weft::models::testing
