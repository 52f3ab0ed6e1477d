// Runs of several jobs: [[job]].
#pragma once

#include "tools/run/context.hpp"

namespace weft::tools {

/// Runs the jobs of the config and fills in context.result, with a row for each job (whole on rank 0). With
/// context.only_job that job alone, placed as in the run with all of them, from tick 0 on. Throws StuckError as
/// run_tasks. Collective.
void run_jobs(Context& context);

}  // namespace weft::tools
