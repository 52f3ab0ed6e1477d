// Runs with independent sources: steady state, a number of cycles, or bursts.
#pragma once

#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Runs the synthetic traffic or the bursts of [workload] and fills in context.result (whole on rank 0). Collective.
void run_synthetic(Context& context);

}  // namespace weft::tools
