// Its event loops.
#include "own_loop.hpp"

#include "models/machine/packets/network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace {

template <class Host>
using AsksAllNetwork = weft::models::Network<outside::AsksAll, Host>;

const bool loops_registered = weft::tools::add_loops<AsksAllNetwork>("asks all", "halfway-loop");

}  // namespace
