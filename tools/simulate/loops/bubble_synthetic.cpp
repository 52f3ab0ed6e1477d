// The event loop of the bubble router with synthetic workloads; the usual sizes are in files of their own.
#include "models/machine/packets/network.hpp"
#include "tools/simulate/bubble.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

const bool bubble_synthetic_registered = add_loop<models::Network<models::BubblePolicy, workloads::SyntheticHost>>(
    "bubble", "bubble", is_bubble_policy<models::BubblePolicy>);

}  // namespace
}  // namespace weft::tools
