// What parts that failed and came back during the run have cost.
#pragma once

#include <vector>

#include "models/core/statistics.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// The costs of events over all ranks, on all of them. Collective.
[[nodiscard]] std::vector<models::FaultCost> fault_costs(const Context& context, const models::Statistics& mine);
/// Adds the events before tick `end` to the result. Collective.
void collect_faults(Context& context, const models::Statistics& mine, Tick end);

}  // namespace weft::tools
