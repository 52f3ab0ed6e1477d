// The event loops of the multistage router, by the width of masks.
#include "tools/run/setup/multistage.hpp"

#include "models/machine/packets/network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

template <unsigned Words>
struct MultistageLoops {
  template <class Host>
  using Network = models::Network<models::MultistagePolicy<Words>, Host>;
  static bool add(const char* name) { return add_loops<Network>(name, "multistage", is_multistage_policy<Words>); }
};

const bool multistage_registered = MultistageLoops<1>::add("multistage with small switches") &&
                                   MultistageLoops<4>::add("multistage with middle switches") &&
                                   MultistageLoops<32>::add("multistage with large switches");

}  // namespace
}  // namespace weft::tools
