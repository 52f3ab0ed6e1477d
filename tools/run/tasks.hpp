// Runs of applications, task by task.
#pragma once

#include "tools/run/context.hpp"

namespace weft::tools {

/// Runs the application of [workload] and fills in context.result (whole on rank 0). Throws StuckError naming
/// the tasks that wait for messages that nobody sends. Collective.
void run_tasks(Context& context);

}  // namespace weft::tools
