// What wormhole switches with several virtual channels declare in [router] besides, and what it means; docs/wormhole.md
// has the rules.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/setting.hpp"
#include "models/arbiter/scheduling.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::worms {

/// The keys that only links with several channels go by.
[[nodiscard]] std::vector<Setting> vc_rows();
/// What is wrong with them, if anything is, with so many channels as router.virtual_channels says.
[[nodiscard]] std::optional<Complaint> check_vc_keys(const RouterChoice& choice);

/// Values, times in ticks.
struct VcSettings {
  u32 channels = 1;
  u32 node_packets = 0;  ///< that wait at a node
  u32 buffer_cells = 0;  ///< of each virtual channel of each input
  arbiter::Scheduling scheduling = arbiter::Scheduling::islip;
  u32 iterations = std::numeric_limits<u32>::max();  ///< of grants and acceptances
  Tick routing_ticks = 0;          ///< from a header's being the first of its channel to its being routed
  Tick allocation_ticks = 0;       ///< from its getting a channel to its asking for the crossbar
  Tick credit_ticks = 0;           ///< from a credit's coming to its being counted
  bool release_on_credit = false;  ///< a channel is free again when the buffer behind it is empty, not when a tail left
  u32 input_speedup = 1;           ///< cells that may leave an input at a time, of different channels
  u32 speedup = 1;                 ///< of the crossbar
  u32 output_cells = 0;            ///< of the buffer between crossbar and link; 0: none
};
[[nodiscard]] VcSettings vc_settings(const RouterSettings& settings);

}  // namespace weft::models::worms
