// The event loop of SpiNNaker networks with synthetic workloads.
#include "models/machine/spinnaker/spinnaker_network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

const bool spinnaker_synthetic_registered =
    add_loop<models::spinnaker::SpinnakerNetwork<workloads::SyntheticHost>>("spinnaker", "spinnaker", nullptr);

}  // namespace
}  // namespace weft::tools
