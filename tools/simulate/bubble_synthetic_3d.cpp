// Instantiation of the bubble router of 3D networks with 3 virtual channels with synthetic workloads.
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/synthetic.hpp"

namespace weft::tools {

template void run_synthetic<Bubble3D>(Context& context);

}  // namespace weft::tools
