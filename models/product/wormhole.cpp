// Registers wormhole switches, a machine of its own: models/machine/worms.
#include "models/product/wormhole_kind.hpp"

namespace weft::models {
namespace {

[[maybe_unused]] const bool wormhole_registered = RouterRegistry::instance().add("wormhole", worms::wormhole_kind());

}  // namespace
}  // namespace weft::models
