// The event loop of the bubble router of 3D networks with 3 virtual channels with synthetic workloads.
#include "models/machine/packets/network.hpp"
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

const bool bubble_synthetic_3d_registered = add_loop<models::Network<Bubble3D, workloads::SyntheticHost>>(
    "bubble of 3 dimensions with 3 channels", "bubble", is_bubble_policy<Bubble3D>);

}  // namespace
}  // namespace weft::tools
