// The event loops of switches of cells.
#include "models/machine/cells/cell_network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

const bool switch_registered = add_loops<models::cells::CellNetwork>("switch", "switch");

}  // namespace
}  // namespace weft::tools
