// The event loops that all plain routers share, with workloads of tasks, by the width of masks.
#include "models/machine/packets/network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "tools/simulate/plain.hpp"
#include "workloads/task_host.hpp"

namespace weft::tools {
namespace {

template <unsigned Words>
bool add(const char* name) {
  return add_loop<models::Network<models::PlainPolicy<Words>, workloads::TaskHost>>(name, any_router,
                                                                                    is_plain_policy<Words>);
}

const bool plain_tasks_registered = add<1>("plain with small routers") && add<4>("plain with large routers");

}  // namespace
}  // namespace weft::tools
