// Instantiation of the bubble router with synthetic workloads.
#include "models/router/bubble.hpp"
#include "tools/simulate/synthetic.hpp"

namespace weft::tools {

void run_bubble_synthetic(Context& context) { run_synthetic<models::BubblePolicy>(context); }

}  // namespace weft::tools
