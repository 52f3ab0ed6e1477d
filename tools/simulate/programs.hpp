// Runs of programs by the rules of docs/programs.md: one application, or several jobs.
#pragma once

#include <vector>

#include "tools/simulate/application.hpp"

namespace weft::tools {

/// Runs an application and fills in context.result (whole on rank 0). Throws StuckError naming the operations that
/// tasks wait in. Collective.
void run_program(Context& context, models::Layout& layout, Application application);

}  // namespace weft::tools
