// The event loop of the bubble router with workloads of tasks; the usual sizes are in files of their own.
#include "models/machine/packets/network.hpp"
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/task_host.hpp"

namespace weft::tools {
namespace {

const bool bubble_tasks_registered = add_loop<models::Network<models::BubblePolicy, workloads::TaskHost>>(
    "bubble", "bubble", is_bubble_policy<models::BubblePolicy>);

}  // namespace
}  // namespace weft::tools
