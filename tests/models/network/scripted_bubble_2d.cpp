// Bubble routers compiled for 2 dimensions and 3 channels, with scripted traffic.
#include "models/machine/packets/bubble.hpp"
#include "tests/models/network/scripted_sized_bubble.hpp"

namespace weft::models::testing {

template <>
Result run_sized_bubble<2>(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  return run_policy<SizedBubblePolicy<2, 3>>(setup, topology, script);
}

}  // namespace weft::models::testing
