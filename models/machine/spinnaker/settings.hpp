// What SpiNNaker routers declare in [router], and what it means.
#pragma once

#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::spinnaker {

/// The keys of their own.
[[nodiscard]] std::vector<Setting> setting_rows();

/// How long a packet waits in the engine for an output, in ticks from when it came in.
struct Patience {
  Tick detour = 0;       ///< then it goes round through the neighbouring link, if that may be
  Tick drop = 0;         ///< then it is dropped
  bool detours = false;  ///< whether packets go round at all
};
[[nodiscard]] Patience patience_of(const RouterSettings& settings);

/// What monitor cores do with dropped packets.
struct Reinjection {
  u32 packets = 0;  ///< that a core keeps; 0: there is none
  Tick period = 0;  ///< from one look at the router to the next; looks are at its multiples
  [[nodiscard]] bool any() const { return packets != 0; }
};
[[nodiscard]] Reinjection reinjection_of(const RouterSettings& settings);

[[nodiscard]] bool is_multicast(const RouterSettings& settings);

}  // namespace weft::models::spinnaker
