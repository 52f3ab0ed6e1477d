// The event loops of the multistage router with synthetic workloads, by the width of masks.
#include "models/machine/packets/network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "tools/simulate/multistage.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

template <unsigned Words>
bool add(const char* name) {
  using Policy = models::MultistagePolicy<Words>;
  return add_loop<models::Network<Policy, workloads::SyntheticHost>>(name, "multistage", is_multistage_policy<Words>);
}

const bool multistage_synthetic_registered = add<1>("multistage with small switches") &&
                                             add<4>("multistage with middle switches") &&
                                             add<32>("multistage with large switches");

}  // namespace
}  // namespace weft::tools
