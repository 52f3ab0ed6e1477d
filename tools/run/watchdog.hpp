// When a network counts as deadlocked: reckoned in simulated time alone, so that a run ends at the same tick however it
// is computed.
#pragma once

#include <algorithm>

#include "engine/base/types.hpp"
#include "engine/protocol.hpp"

namespace weft::tools {

/// A deadlock is declared `patience` ticks after the last delivery, or after the generation of the oldest packet in
/// flight if that came later. Which packet is oldest costs a walk through all queues: it is asked for only when the
/// last delivery is long ago.
class Watchdog {
 public:
  /// What a run knows when it has done all before tick `now`.
  struct Seen {
    Tick now = 0;
    bool idle = true;        ///< no packet is in flight
    Tick upcoming = 0;       ///< earliest tick with an event
    Tick last_delivery = 0;  ///< 0 if there was none
  };

  explicit Watchdog(Tick patience) : patience_(patience) {}

  /// The tick at which it is time to look at the network, and no later than which a run must stop to do so.
  [[nodiscard]] Tick due(const Seen& seen) const {
    const Tick alive =
        seen.idle ? std::max(seen.now, seen.upcoming) : std::max(seen.last_delivery, oldest_generated_at_);
    return engine::later_by(engine::later_by(alive, patience_), 1);
  }
  /// Whether it is a deadlock as far as is known; ask again after `learn`.
  [[nodiscard]] bool expired(const Seen& seen) const { return !seen.idle && seen.now >= due(seen); }
  /// The oldest packet in flight was generated at `generated_at`.
  void learn(Tick generated_at) { oldest_generated_at_ = generated_at; }
  /// Ticks without a delivery while a packet waited.
  [[nodiscard]] Tick waited(const Seen& seen) const {
    return seen.now - std::max(seen.last_delivery, oldest_generated_at_);
  }

 private:
  Tick patience_;
  Tick oldest_generated_at_ = 0;  ///< packets in flight are not older than this, as far as is known
};

}  // namespace weft::tools
