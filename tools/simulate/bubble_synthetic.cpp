// Instantiation of the bubble router with synthetic workloads; the usual sizes are in files of their own.
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/synthetic.hpp"

namespace weft::tools {

extern template void run_synthetic<Bubble2D>(Context& context);
extern template void run_synthetic<Bubble3D>(Context& context);

void run_bubble_synthetic(Context& context) {
  with_bubble_policy(context, [&]<class Policy>() { run_synthetic<Policy>(context); });
}

}  // namespace weft::tools
