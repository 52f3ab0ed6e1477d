// Whether the routes of a run can deadlock, looked for before it starts: deadlock.check.
#pragma once

#include <optional>

#include "models/routing/router_kind.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// Throws ConfigError, on all ranks alike, if packets can come to wait for one another in a cycle; says in the log
/// what was found otherwise, and when the network is too large to know. A "full" search that could not try everything
/// is a warning of the run, as are channels that no packet takes and draws that there are none of. Returns how many
/// channels of a link a packet can choose from, at least; all where that is not known.
u32 check_deadlock(Context& context);

/// The routes of a network with these settings; nothing where they cannot be asked.
[[nodiscard]] std::optional<models::SearchedRoutes> routes_in_use(const models::Topology& topology,
                                                                  const models::RouterSettings& router);

}  // namespace weft::tools
