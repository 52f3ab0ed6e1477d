// Instantiation of the bubble router of 2D networks with 3 virtual channels with workloads of tasks.
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/tasks.hpp"

namespace weft::tools {

template void run_tasks<Bubble2D>(Context& context);

}  // namespace weft::tools
