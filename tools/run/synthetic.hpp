// Runs with independent sources: steady state, a number of cycles, or bursts.
#pragma once

#include "tools/run/context.hpp"

namespace weft::tools {

/// What the nodes of the run send: the pattern or the jobs of [workload], placed as [placement] says; failed nodes send
/// nothing. Throws ConfigError for what does not fit the network.
[[nodiscard]] std::unique_ptr<workloads::Pattern> make_run_pattern(const Context& context);

/// Runs the synthetic traffic or the bursts of [workload] and fills in context.result (whole on rank 0). Collective.
void run_synthetic(Context& context);

}  // namespace weft::tools
