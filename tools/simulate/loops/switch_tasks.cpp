// The event loop of switches of cells with workloads of tasks.
#include "models/machine/cells/cell_network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/task_host.hpp"

namespace weft::tools {
namespace {

const bool switch_tasks_registered =
    add_loop<models::cells::CellNetwork<workloads::TaskHost>>("switch", "switch", nullptr);

}  // namespace
}  // namespace weft::tools
