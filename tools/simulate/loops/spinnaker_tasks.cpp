// The event loop of SpiNNaker networks with workloads of tasks.
#include "models/machine/spinnaker/spinnaker_network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/task_host.hpp"

namespace weft::tools {
namespace {

const bool spinnaker_tasks_registered =
    add_loop<models::spinnaker::SpinnakerNetwork<workloads::TaskHost>>("spinnaker", "spinnaker", nullptr);

}  // namespace
}  // namespace weft::tools
