// What rotary routers declare in [router], and what it means.
#pragma once

#include <algorithm>
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
  u32 transit = 0;        ///< packets for each buffer that a ring takes from links
  u32 injection = 0;      ///< packets that a buffer may hold when a new one enters it
  u32 rounds = 0;         ///< after which a packet may leave by any link
};
[[nodiscard]] RingSettings rings_of(const RouterSettings& settings);

/// Packets in a ring with so many buffers up to which those from links enter it. One place stays free, so that packets
/// can go round; new packets leave a place more.
[[nodiscard]] inline u32 most_in_ring(const RingSettings& of, u32 buffers) {
  return std::min(buffers * of.transit, buffers * of.buffer - 1);
}

}  // namespace weft::models::rotary
