// Global congestion control of INSEE: the run counts the packets in the network, and all nodes go by the count.
#include "models/nic/congestion_scheme.hpp"

namespace weft::models::endpoint {
namespace {

[[maybe_unused]] const bool gcc_registered = CongestionRegistry::instance().add(
    "gcc",
    {.help = "global congestion control, for every kind of router: nodes inject nothing while there are more than "
             "congestion.gcc_packets in the network. Other schemes may be given these keys too.",
     .needs_count = true,
     .of_all_routers = true});

}  // namespace
}  // namespace weft::models::endpoint
