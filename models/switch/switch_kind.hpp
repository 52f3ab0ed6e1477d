// What kinds of routers that are switches of cells have in common; docs/switch.md has the rules.
#pragma once

#include "models/router/router_kind.hpp"

namespace weft::models::cells {

/// All of a kind but its name. Products are made of it, with a help and usual values of their own.
[[nodiscard]] RouterKind switch_kind();

}  // namespace weft::models::cells
