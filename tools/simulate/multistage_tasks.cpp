// Instantiation of the multistage router with task workloads.
#include "tools/simulate/multistage.hpp"
#include "tools/simulate/tasks.hpp"

namespace weft::tools {

void run_multistage_tasks(Context& context) {
  with_multistage_policy(context, [&]<class Policy>() { run_tasks<Policy>(context); });
}

}  // namespace weft::tools
