// The event loops of wormhole switches with one virtual channel.
#include "models/machine/worms/worm_network.hpp"
#include "tools/run/loops/add_loops.hpp"
#include "tools/run/setup/worms.hpp"

namespace weft::tools {
namespace {

const bool wormhole_registered = add_loops<models::worms::WormNetwork>("wormhole", "wormhole", have_one_channel);

}  // namespace
}  // namespace weft::tools
