// What becomes of a program that an exception ends.
#pragma once

#include "engine/transport.hpp"

namespace weft::tools {

/// Shows the exception that is being handled and ends all ranks with its exit code, or returns the code where this is
/// the only process. An error that several ranks see is shown once. `transport`: null before there is one.
int end_failed_run(engine::Transport* transport);

}  // namespace weft::tools
