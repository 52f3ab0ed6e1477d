// The clock of whoever measures how long something takes: this machine's, or one that a test sets.
#pragma once

#include "engine/base/system/machine.hpp"

namespace weft {

/// The machine's own clock; tests derive one that stands still until it is moved.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;
  /// Seconds of a clock that only goes forward.
  [[nodiscard]] virtual double wall_s() const { return weft::wall_s(); }
  /// User CPU seconds of this process.
  [[nodiscard]] virtual double user_cpu_s() const { return weft::user_cpu_s(); }
};

[[nodiscard]] inline const Clock& machine_clock() {
  static const Clock clock;
  return clock;
}

}  // namespace weft
