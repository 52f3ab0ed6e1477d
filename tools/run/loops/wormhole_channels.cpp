// The event loops of wormhole switches with several virtual channels.
#include "models/machine/worms/vc_network.hpp"
#include "tools/run/loops/add_loops.hpp"
#include "tools/run/setup/worms.hpp"

namespace weft::tools {
namespace {

const bool wormhole_channels_registered =
    add_loops<models::worms::VcNetwork>("wormhole with channels", "wormhole", have_channels);

}  // namespace
}  // namespace weft::tools
