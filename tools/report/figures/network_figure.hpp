// The figure of what links carried, on a drawing of the network.
#pragma once

#include <string>

#include "models/topology/topology.hpp"
#include "tools/report/page/page.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// The network that a run was on, made anew from the config in its result; files that it names are looked for from the
/// working directory. Throws ConfigError, InputError or SystemError where it cannot be.
[[nodiscard]] std::unique_ptr<models::Topology> network_of(const RunResult& result);

/// More directions of links, or rows of /ports, are not drawn.
inline constexpr u64 most_drawn_links = 4'000'000, most_drawn_rows = 12'000'000;

/// A figure of the kind "topology" of a run with statistics.ports. Throws InputError if there are counts of links that
/// the network does not have, and ConfigError if there are too many.
[[nodiscard]] page::Json network_figure(page::Page& page, const models::Topology& topology, const RunResult& result);

}  // namespace weft::tools
