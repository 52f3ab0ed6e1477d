// SIGTERM and SIGUSR1 as a wish to stop: batch systems send them before the time is over.
#pragma once

namespace weft::tools {

/// From now on the first SIGTERM or SIGUSR1 is noted instead of ending the process; a second SIGTERM ends it.
void watch_stop_signals();
/// From now on these signals end the process again: for when there is nothing left to save.
void unwatch_stop_signals();
/// Whether such a signal has come.
[[nodiscard]] bool stop_signalled();

}  // namespace weft::tools
