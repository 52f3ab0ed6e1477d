// The event loop of switches of cells with synthetic workloads.
#include "models/machine/cells/cell_network.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {
namespace {

const bool switch_synthetic_registered =
    add_loop<models::cells::CellNetwork<workloads::SyntheticHost>>("switch", "switch", nullptr);

}  // namespace
}  // namespace weft::tools
