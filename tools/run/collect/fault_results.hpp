// What parts that failed and came back during the run have cost.
#pragma once

#include <string>
#include <vector>

#include "models/core/statistics.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// The costs of events over all ranks, on all of them. Collective.
[[nodiscard]] std::vector<models::FaultCost> fault_costs(const Context& context, const models::Statistics& mine);
/// That old and new routes together can close a cycle of channels, and which; empty: they cannot, or it is not known.
[[nodiscard]] std::string transition_text(const Context& context, const models::Statistics& mine);
/// "nodes 4, 5 are cut off since 20000 ns": why no path led from a node to another at tick `now`, up to which the
/// faults have been advanced.
[[nodiscard]] std::string cut_off_text(const Context& context, u32 from, u32 to, Tick now);
/// Adds the events before tick `end` to the result. Collective.
void collect_faults(Context& context, const models::Statistics& mine, Tick end);

}  // namespace weft::tools
