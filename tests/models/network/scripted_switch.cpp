// Switches of cells with scripted traffic.
#include "models/machine/cells/cell_network.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool scripted_switch_registered =
    ScriptedLoops::instance().add("switch", {run_network<cells::CellNetwork<ScriptedHost>>});

}  // namespace
}  // namespace weft::models::testing
