// What rotary routers declare in [router], and what it means.
#pragma once

#include <vector>

#include "engine/base/setting.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::rotary {

/// The keys of their own.
[[nodiscard]] std::vector<Setting> setting_rows();

struct RingSettings {
  u32 buffer = 0;         ///< packets of a dual-port buffer
  u32 output = 0;         ///< packets of an output stage, for each ring
  Tick buffer_ticks = 0;  ///< that a header takes through a buffer
  u32 rounds = 0;         ///< after which a packet may leave by any link
};
[[nodiscard]] RingSettings rings_of(const RouterSettings& settings);

/// Free places that a ring must have for a packet to enter it: one stays free, and new packets leave one more.
inline constexpr u32 free_for_transit = 2, free_for_injection = 3;

}  // namespace weft::models::rotary
