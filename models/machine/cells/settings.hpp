// What switches of cells declare in [router], and what it means; docs/switch.md has the rules.
#pragma once

#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "models/arbiter/matching.hpp"
#include "models/arbiter/scheduling.hpp"
#include "models/arbiter/vl_arbitration.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::cells {

enum class Queues : u8 { voq, fifo };

/// The keys of their own.
[[nodiscard]] std::vector<Setting> setting_rows();

/// Traffic classes, or service levels that packets are drawn for, if results count packets by them; else 1.
[[nodiscard]] u32 counted_classes(const RouterSettings& settings);

/// Their values, times in ticks.
struct CellSettings {
  u32 node_packets = 0;         ///< that wait at a node
  u32 buffer_cells = 0;         ///< of each VC of each input; of all VCs of an input where they share it
  bool shared = false;          ///< the VCs of an input have one buffer,
  u32 reserved_cells = 0;       ///< of which each has so many cells alone
  Queues queues = Queues::voq;  ///< at each input
  arbiter::Scheduling scheduling = arbiter::Scheduling::islip;
  arbiter::VlTables vl_tables = {};                   ///< of that by virtual lanes
  u32 iterations = arbiter::Matching::until_maximal;  ///< of the matching, a cycle
  u64 transit_priority = 0;  ///< probability, scaled to 2^64 - 1, that nodes are left out where others want an output
  bool store_and_forward = false;
  Tick routing_ticks = 0;                       ///< from the first cell's coming in to its being routed
  u32 speedup = 1;                              ///< of the crossbar, as many times as fast as the link out
  u32 output_cells = 0;                         ///< buffer behind it at each output; 0: none
  u32 classes = 1;                              ///< of traffic; for each:
  std::vector<u32> class_shares = {1};          ///< weight
  std::vector<std::string> class_modes = {""};  ///< mode of the routing, see make_routing
  bool count_classes = false;                   ///< packets are counted by class, or by service level
  bool strict = false;                          ///< of several classes, lower ones go first
  bool choice_in_turn = false;                  ///< among several outputs all with enough free space are taken in turn
  bool by_flow = false;                         ///< all packets of a pair of nodes draw the same random numbers
  Tick reduction_ticks = 1;                     ///< that a reduction unit takes for a packet, once it is whole
  u32 notice_cells = 1;                         ///< steps of the remote congestion information
};
[[nodiscard]] CellSettings cell_settings(const RouterSettings& settings);

}  // namespace weft::models::cells
