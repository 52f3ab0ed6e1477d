// What switches, NICs and cables cost, and how they stand on the floor: the tables of a user's file.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::cost {

/// Where racks stand, and how long cables are between them. A node stands in the rack of its switch.
struct Floor {
  u32 nodes_per_rack = 0, switches_per_rack = 0;  ///< at most; 0: any number
  u32 racks_per_row = 1;
  double rack_pitch_m = 0, row_pitch_m = 0;  ///< from rack to rack in a row, and from row to row
  double in_rack_m = 0;                      ///< a cable inside a rack
  double slack_m = 0;                        ///< of a cable between racks, beyond their distance
};

/// A kind of switch, NIC or cable: what one costs and takes, with what is added for each port or metre.
struct Item {
  std::string name;
  double up_to = std::numeric_limits<double>::infinity();  ///< ports of a switch, metres of a cable
  double price = 0, price_per_unit = 0;
  double watts = 0, watts_per_unit = 0;
};

struct CostTable {
  std::string path;      ///< the file, for messages
  std::string currency;  ///< unit of all prices
  Floor floor;
  bool virtual_switches = false;  ///< routers of few ports are virtual switches of one that is as large as the largest
  std::vector<Item> switches, cables;  ///< by `up_to`, ascending
  Item nic;
};

/// Reads the file (docs/topologies.md#cost). Throws ConfigError with file:line for what is malformed, missing, unknown
/// (with the nearest known key) or out of order.
[[nodiscard]] CostTable load_cost_table(const std::string& path);
/// Reads the text of the file. Throws ConfigError like load_cost_table.
[[nodiscard]] CostTable read_cost_table(const std::string& text, const std::string& path);

}  // namespace weft::tools::cost
