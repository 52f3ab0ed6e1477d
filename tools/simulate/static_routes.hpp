// Whether fixed routes load the links so unevenly that much less is accepted than the topology could carry.
#pragma once

#include <optional>

#include "models/routing/static_load.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

/// [router], [link] and [packet] as the models want them (prepare.cpp).
[[nodiscard]] models::RouterSettings router_settings(const Config& config, const TimeScale& time);

/// Whether a load bound of fixed routes is well below the topology's.
[[nodiscard]] bool is_uneven(const models::WorstLink& worst, const models::Topology& topology);

/// The most loaded link of a config's routes under uniform traffic; nothing where they leave a choice, cannot be asked,
/// or where the router does not fit the network.
[[nodiscard]] std::optional<models::WorstLink> worst_link_of(const Config& config, const models::Topology& topology);

/// Adds a warning to the result of a run that offers more uniform traffic than its fixed routes can carry, though the
/// topology could. Looked for in networks of up to some thousand nodes.
void check_static_routes(Context& context);

}  // namespace weft::tools
