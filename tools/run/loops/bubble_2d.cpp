// The event loops of the bubble router of 2D networks with 3 virtual channels.
#include "models/machine/packets/network.hpp"
#include "tools/run/loops/add_loops.hpp"
#include "tools/run/setup/bubble.hpp"

namespace weft::tools {
namespace {

template <class Host>
using BubbleNetwork2D = models::Network<Bubble2D, Host>;

const bool bubble_2d_registered =
    add_loops<BubbleNetwork2D>("bubble of 2 dimensions with 3 channels", "bubble", is_bubble_policy<Bubble2D>);

}  // namespace
}  // namespace weft::tools
