// Instantiation of the bubble router with tasks workloads.
#include "models/router/bubble.hpp"
#include "tools/simulate/tasks.hpp"

namespace weft::tools {

void run_bubble_tasks(Context& context) { run_tasks<models::BubblePolicy>(context); }

}  // namespace weft::tools
