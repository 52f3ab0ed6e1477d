// Rotary networks with scripted traffic.
#include "models/machine/rotary/rotary_network.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool scripted_rotary_registered =
    ScriptedLoops::instance().add("rotary", {run_network<rotary::RotaryNetwork<ScriptedHost>>});

}  // namespace
}  // namespace weft::models::testing
