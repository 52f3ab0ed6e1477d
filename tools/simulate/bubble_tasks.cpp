// Instantiation of the bubble router with workloads of tasks; the usual sizes are in files of their own.
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/tasks.hpp"

namespace weft::tools {

extern template void run_tasks<Bubble2D>(Context& context);
extern template void run_tasks<Bubble3D>(Context& context);

void run_bubble_tasks(Context& context) {
  with_bubble_policy(context, [&]<class Policy>() { run_tasks<Policy>(context); });
}

}  // namespace weft::tools
