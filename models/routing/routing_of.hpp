// Makes the routing of a kind of routers for a network, which may have several planes.
#pragma once

#include <memory>

#include "models/routing/router_kind.hpp"

namespace weft::models {

/// The routing of a kind that has one (RouterKind::routing); of a network of several planes, that of one plane in each.
[[nodiscard]] std::unique_ptr<Routing> routing_of(const RouterKind& kind, const Topology& topology,
                                                  const RouterSettings& settings);

}  // namespace weft::models
