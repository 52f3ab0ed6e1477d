// What switches of cells declare in [router], and what it means; docs/switch.md has the rules.
#pragma once

#include <string>
#include <vector>

#include "engine/setting.hpp"
#include "models/router/settings.hpp"

namespace weft::models::cells {

enum class Queues : u8 { voq, fifo };
enum class Scheduling : u8 { islip, age, random };

/// The keys of their own.
[[nodiscard]] std::vector<Setting> setting_rows();

/// Their values, times in ticks.
struct SwitchSettings {
  u32 node_packets = 0;         ///< that wait at a node
  u32 buffer_cells = 0;         ///< of each VC of each input
  Queues queues = Queues::voq;  ///< at each input
  Scheduling scheduling = Scheduling::islip;
  u32 iterations = 1;  ///< of the matching, a cycle
  bool store_and_forward = false;
  Tick routing_ticks = 0;  ///< from the first cell's coming in to its being routed
};
[[nodiscard]] SwitchSettings switch_settings(const RouterSettings& settings);

}  // namespace weft::models::cells
