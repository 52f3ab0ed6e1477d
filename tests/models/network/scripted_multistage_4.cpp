// Multistage switches of up to 255 channels with scripted traffic.
#include "models/machine/packets/multistage.hpp"
#include "tests/models/network/scripted_multistage.hpp"

namespace weft::models::testing {

template <>
Result run_multistage<4>(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  return run_policy<MultistagePolicy<4>>(setup, topology, script);
}

}  // namespace weft::models::testing
