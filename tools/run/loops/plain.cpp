// The event loops that all plain routers share, by the width of masks.
#include "tools/run/setup/plain.hpp"

#include "models/machine/packets/network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

template <unsigned Words>
struct PlainLoops {
  template <class Host>
  using Network = models::Network<models::PlainPolicy<Words>, Host>;
  static bool add(const char* name) { return add_loops<Network>(name, any_router, is_plain_policy<Words>); }
};

const bool plain_registered =
    PlainLoops<1>::add("plain with small routers") && PlainLoops<4>::add("plain with large routers");

}  // namespace
}  // namespace weft::tools
