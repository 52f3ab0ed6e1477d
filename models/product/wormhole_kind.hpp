// What kinds of routers that are wormhole switches have in common; docs/wormhole.md has the rules.
#pragma once

#include "models/routing/router_kind.hpp"

namespace weft::models::worms {

/// All of a kind but its name. Products are made of it, with a help and usual values of their own.
[[nodiscard]] RouterKind wormhole_kind();

}  // namespace weft::models::worms
