// The routes that users choose for switches: keys of all kinds of switches that take the routes of another router.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/routing/router_kind.hpp"

namespace weft::models::cells {

/// What is wrong with router.routing, or with the keys of the router whose routes are taken. `modes` are those that
/// `key` gives if that is not router.routing. `knows_occupancy`: the router asks Routing::decide.
[[nodiscard]] std::optional<Complaint> check_routes(const RouterChoice& choice, bool knows_occupancy,
                                                    const std::string& key = "router.routing",
                                                    std::vector<std::string> modes = {});
/// Splits router.routing: settings.own.text("routing") is the kind of router then, and "routing_mode" a mode of it or
/// "auto".
void resolve_routes(RouterSettings& settings, const std::string& topology);

}  // namespace weft::models::cells
