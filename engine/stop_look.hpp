// Whether somebody wants this process to stop, for loops over all nodes or routers before the first event.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::engine {

/// This process was asked to stop before the first event: it alone knows, and nothing is on disk.
struct StoppedBefore : Stopped {
  using Stopped::Stopped;
};

/// Who asks, for the rank that this thread is; none: nobody ever does. Set it before such loops begin.
void set_stop_question(bool (*wanted)());
/// Throws StoppedBefore if somebody wants that.
void look_for_stop();

/// For step `number` of such a loop, steps of which take far below a millisecond: looks now and then.
inline void look_for_stop(u64 number) {
  constexpr u64 steps_between = u64{1} << 13;
  if (number % steps_between == steps_between - 1) look_for_stop();
}

}  // namespace weft::engine
