// Whether fixed routes load the links so unevenly that much less is accepted than the topology could carry.
#pragma once

#include <optional>

#include "models/routing/static_load.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// [router], [link] and [packet] as the models want them (prepare.cpp).
[[nodiscard]] models::RouterSettings router_settings(const Config& config, const TimeScale& time);

/// Whether a load bound of fixed routes is well below the topology's.
[[nodiscard]] bool is_uneven(const models::WorstLink& worst, const models::Topology& topology);

/// The most loaded link of a config's routes under uniform traffic, with faults too; or why there is none to tell: they
/// leave a choice, cannot be asked, or the router does not fit the network.
[[nodiscard]] models::StaticLoad worst_link_of(const Config& config, const models::Topology& topology);
/// "0.0691", of a sample "at most 0.0691 ± 0.002 (of a sample: 500 destinations)".
[[nodiscard]] std::string load_bound_text(const models::WorstLink& worst);

/// Adds a warning to the result of a run that offers more uniform traffic than its fixed routes can carry, though the
/// topology could. Looked for in networks of up to some thousand nodes.
void check_static_routes(Context& context);

}  // namespace weft::tools
