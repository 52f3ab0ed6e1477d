// Instantiation of the multistage router with tasks workloads, for small, middle and large switches.
#include "models/router/multistage.hpp"
#include "tools/simulate/tasks.hpp"

namespace weft::tools {

void run_multistage_tasks(Context& context) {
  const u32 channels = largest_switch(context) * context.router.virtual_channels;
  if (channels < 64) return run_tasks<models::MultistagePolicy<1>>(context);
  if (channels < 4 * 64) return run_tasks<models::MultistagePolicy<4>>(context);
  run_tasks<models::MultistagePolicy<32>>(context);
}

}  // namespace weft::tools
