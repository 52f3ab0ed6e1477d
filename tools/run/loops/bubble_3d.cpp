// The event loops of the bubble router of 3D networks with 3 virtual channels.
#include "models/machine/packets/network.hpp"
#include "tools/run/loops/add_loops.hpp"
#include "tools/run/setup/bubble.hpp"

namespace weft::tools {
namespace {

template <class Host>
using BubbleNetwork3D = models::Network<Bubble3D, Host>;

const bool bubble_3d_registered =
    add_loops<BubbleNetwork3D>("bubble of 3 dimensions with 3 channels", "bubble", is_bubble_policy<Bubble3D>);

}  // namespace
}  // namespace weft::tools
