// The event loops of SpiNNaker networks.
#include "models/machine/spinnaker/spinnaker_network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

const bool spinnaker_registered = add_loops<models::spinnaker::SpinnakerNetwork>("spinnaker", "spinnaker");

}  // namespace
}  // namespace weft::tools
