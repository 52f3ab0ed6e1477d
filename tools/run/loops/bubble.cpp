// The event loops of the bubble router; the usual sizes are in files of their own.
#include "tools/run/setup/bubble.hpp"

#include "models/machine/packets/network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

template <class Host>
using BubbleNetwork = models::Network<models::BubblePolicy, Host>;

const bool bubble_registered = add_loops<BubbleNetwork>("bubble", "bubble", is_bubble_policy<models::BubblePolicy>);

}  // namespace
}  // namespace weft::tools
