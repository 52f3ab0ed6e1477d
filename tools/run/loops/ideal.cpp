// The event loops of ideal networks.
#include "models/machine/ideal/ideal_network.hpp"
#include "tools/run/loops/add_loops.hpp"

namespace weft::tools {
namespace {

const bool ideal_registered = add_loops<models::ideal::IdealNetwork>("ideal", "ideal");

}  // namespace
}  // namespace weft::tools
