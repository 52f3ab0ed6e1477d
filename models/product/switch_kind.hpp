// What kinds of routers that are switches of cells have in common; docs/switch.md has the rules.
#pragma once

#include "models/routing/router_kind.hpp"

namespace weft::models::cells {

/// What is wrong with a choice for any switch of cells.
[[nodiscard]] std::optional<Complaint> check_cells(const RouterChoice& choice);
/// Keys of all routers that are for queues of packets, of which such switches have none.
[[nodiscard]] std::vector<IgnoredKey> keys_of_packet_queues();
/// What is wrong with keys of injection that such `switches` ("wormhole switches") do not know.
[[nodiscard]] std::optional<Complaint> check_injection(const RouterChoice& choice, const std::string& switches);

/// All of a kind but its name. Products are made of it, with a help and usual values of their own.
[[nodiscard]] RouterKind switch_kind();

}  // namespace weft::models::cells
