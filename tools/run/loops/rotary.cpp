// The event loops of rotary networks.
#include "models/machine/rotary/rotary_network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

const bool rotary_registered = add_loops<models::rotary::RotaryNetwork>("rotary", "rotary");

}  // namespace
}  // namespace weft::tools
