// Who tells routings what all routers know of failures and repairs during a run.
#pragma once

#include <fmt/format.h>
#include <string>

#include "engine/base/error.hpp"
#include "models/faults/known_topology.hpp"

namespace weft::models {

/// Remembers of which changes it has told. Every process does the same at the same times.
class SweepFollower {
 public:
  /// Between runs: has a routing follow to the network as all routers know it, if that has changed since the last time;
  /// its loop_in_transition. Throws ConfigError as it does, and says why it was asked.
  template <class AnyRouting>
  std::string tell(const Topology& topology, const LiveFaults& live, AnyRouting& routing) {
    return tell_all(topology, live, [&routing](auto&& tell_one) { tell_one(routing); });
  }
  /// Likewise several; each(f) calls f for each of them. The first loop.
  template <class Each>
  std::string tell_all(const Topology& topology, const LiveFaults& live, Each&& each) {
    std::string loop;
    if (told_ == live.sweeps()) return loop;
    told_ = live.sweeps();
    const KnownTopology known(topology, live);
    try {
      each([&](auto& routing) {
        followed_ |= routing.follow(known);
        if (loop.empty()) loop = routing.loop_in_transition();
      });
    } catch (const ConfigError& error) {
      throw ConfigError(
          fmt::format("no new tables for what is left of the network when parts failed: {}", error.what()));
    }
    return loop;
  }

  /// Whether one has.
  [[nodiscard]] bool followed() const { return followed_; }

 private:
  bool followed_ = false;
  u64 told_ = 0;  ///< as LiveFaults::sweeps
};

}  // namespace weft::models
