// The routes that users choose for switches: keys of all kinds of switches that take the routes of another router.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/routing/router_kind.hpp"

namespace weft::models::cells {

/// What is wrong with router.routing or its modes, or with the keys of the router whose routes are taken. `modes` are
/// those that `key` gives if that is not router.routing_mode. `knows_occupancy`: the router asks Routing::decide.
[[nodiscard]] std::optional<Complaint> check_routes(const RouterChoice& choice, bool knows_occupancy,
                                                    const std::string& key = "router.routing_mode",
                                                    std::vector<std::string> modes = {});
/// Puts the kind of router and its mode where router.routing is "auto" or names a mode.
void settle_routes(RouterSettings& settings, const std::string& topology);

}  // namespace weft::models::cells
