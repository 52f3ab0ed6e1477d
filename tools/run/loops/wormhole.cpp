// The event loops of wormhole switches.
#include "models/machine/worms/worm_network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

const bool wormhole_registered = add_loops<models::worms::WormNetwork>("wormhole", "wormhole");

}  // namespace
}  // namespace weft::tools
