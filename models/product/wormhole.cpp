// Registers wormhole switches, a machine of its own: models/wormhole.
#include "models/product/wormhole_kind.hpp"

namespace weft::models {
namespace {

[[maybe_unused]] const bool wormhole_registered = RouterRegistry::instance().add("wormhole", worm::wormhole_kind());

}  // namespace
}  // namespace weft::models
