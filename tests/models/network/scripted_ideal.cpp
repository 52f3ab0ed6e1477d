// Ideal networks with scripted traffic.
#include "models/machine/ideal/ideal_network.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool scripted_ideal_registered =
    ScriptedLoops::instance().add("ideal", {run_network<ideal::IdealNetwork<ScriptedHost>>});

}  // namespace
}  // namespace weft::models::testing
