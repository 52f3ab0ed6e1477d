// Who tells routings what all routers know of failures and repairs during a run.
#pragma once

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/faults/known_topology.hpp"

namespace weft::models {

/// Remembers of which changes it has told. Every process does the same at the same times.
class SweepFollower {
 public:
  /// Between runs: calls `follow` with the network as all routers know it, if that has changed since the last time.
  /// Throws ConfigError as it does, and says why it was called.
  template <class F>
  void tell(const Topology& topology, const LiveFaults& live, F&& follow) {
    if (told_ == live.sweeps()) return;
    told_ = live.sweeps();
    const KnownTopology known(topology, live);
    try {
      follow(known);
    } catch (const ConfigError& error) {
      throw ConfigError(
          fmt::format("no new tables for what is left of the network when parts failed: {}", error.what()));
    }
  }

 private:
  u64 told_ = 0;  ///< as LiveFaults::sweeps
};

}  // namespace weft::models
