// Plain routers of up to 63 channels with scripted traffic.
#include "models/machine/packets/plain.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {

template <>
Result run_plain<1>(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  return run_policy<PlainPolicy<1>>(setup, topology, script);
}

}  // namespace weft::models::testing
