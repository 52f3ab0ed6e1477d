// Instantiation of the multistage router with synthetic workloads.
#include "tools/simulate/multistage.hpp"
#include "tools/simulate/synthetic.hpp"

namespace weft::tools {

void run_multistage_synthetic(Context& context) {
  with_multistage_policy(context, [&]<class Policy>() { run_synthetic<Policy>(context); });
}

}  // namespace weft::tools
