// The event loop of the bubble router of 2D networks with 3 virtual channels with synthetic workloads.
#include "models/machine/packets/network.hpp"
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

const bool bubble_synthetic_2d_registered = add_loop<models::Network<Bubble2D, workloads::SyntheticHost>>(
    "bubble of 2 dimensions with 3 channels", "bubble", is_bubble_policy<Bubble2D>);

}  // namespace
}  // namespace weft::tools
