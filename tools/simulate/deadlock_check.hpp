// Whether the routes of a run can deadlock, looked for before it starts: router.deadlock_check.
#pragma once

#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Throws ConfigError, on all ranks alike, if packets can come to wait for one another in a circle; says in the log
/// what was found otherwise, and when the network is too large to know.
void check_deadlock(const Context& context);

}  // namespace weft::tools
