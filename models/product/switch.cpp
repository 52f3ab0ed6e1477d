// Registers switches of cells, a machine of its own: models/machine/cells.
#include "models/product/switch_kind.hpp"

namespace weft::models {
namespace {

[[maybe_unused]] const bool switch_registered = RouterRegistry::instance().add("switch", cells::switch_kind());

}  // namespace
}  // namespace weft::models
