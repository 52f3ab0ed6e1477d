// The event loop of wormhole switches with synthetic workloads.
#include "models/machine/worms/worm_network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

const bool wormhole_synthetic_registered =
    add_loop<models::worms::WormNetwork<workloads::SyntheticHost>>("wormhole", "wormhole", nullptr);

}  // namespace
}  // namespace weft::tools
