// The question is asked by a pointer: the engine knows nothing of signals.
#include "engine/stop_look.hpp"

namespace weft::engine {
namespace {

thread_local bool (*stop_wanted)() = nullptr;

}  // namespace

void set_stop_question(bool (*wanted)()) { stop_wanted = wanted; }

void look_for_stop() {
  if (stop_wanted == nullptr || !stop_wanted()) return;
  throw StoppedBefore(
      "stopped before the first cycle as asked by a signal; there is no state to go on from yet: start "
      "the run again as it was started");
}

}  // namespace weft::engine
