// The event loop of wormhole switches with workloads of tasks.
#include "models/machine/worms/worm_network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/task_host.hpp"

namespace weft::tools {
namespace {

const bool wormhole_tasks_registered =
    add_loop<models::worms::WormNetwork<workloads::TaskHost>>("wormhole", "wormhole", nullptr);

}  // namespace
}  // namespace weft::tools
