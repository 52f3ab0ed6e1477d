// What wormhole switches declare in [router], and what it means; docs/wormhole.md has the rules.
#pragma once

#include <vector>

#include "engine/base/setting.hpp"
#include "models/arbiter/scheduling.hpp"
#include "models/nic/nics.hpp"
#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::worms {

enum class FlowControl : u8 { credits, stop_go };

/// The keys of their own; those that switches of cells have too are the same rows.
[[nodiscard]] std::vector<Setting> setting_rows();

/// Their values, times in ticks.
struct WormSettings {
  u32 node_packets = 0;  ///< that wait at a node
  u32 buffer_cells = 0;  ///< of each input
  FlowControl flow_control = FlowControl::credits;
  u32 stop_cells = 0;  ///< an input that has so many says STOP,
  u32 go_cells = 0;    ///< and GO when it has no more than so many
  arbiter::Scheduling scheduling = arbiter::Scheduling::islip;
  Tick routing_ticks = 0;  ///< from the first cell's coming in to its being ready
  Tick cell_ticks = 1;     ///< that a cell takes on any link
  endpoint::NicSettings nics;
};
/// Throws ConfigError if links are not equally fast, or buffers too short for STOP and GO.
[[nodiscard]] WormSettings worm_settings(const Topology& topology, const RouterSettings& settings);

}  // namespace weft::models::worms
