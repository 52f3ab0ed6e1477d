// What a network is made of and costs: switches by their ports, NICs, cables by their lengths between racks.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "models/topology/topology.hpp"
#include "tools/report/cost/cost_table.hpp"

namespace weft::tools::cost {

/// Counts without a price: what the thin trees of Navaridas et al. (Parallel Computing 2010) are compared by.
struct Measures {
  u64 switches = 0;  ///< C
  u32 radix = 0;     ///< ports of the switches that have most: all are counted as such
  [[nodiscard]] double ports() const { return static_cast<double>(switches) * radix; }       ///< L
  [[nodiscard]] double crosspoints() const { return ports() * static_cast<double>(radix); }  ///< Q
};
[[nodiscard]] Measures measures_of(const models::Topology& topology);

/// All switches, NICs or cables of a kind.
struct Part {
  std::string what, name;  ///< "switch", "nic" or "cable", and which of them
  u64 count = 0;
  double units = 0;    ///< ports or metres of all together; 0 of NICs
  double longest = 0;  ///< cable, m
  double price = 0, watts = 0;
};

struct NetworkCost {
  std::string currency;
  u32 racks = 0, racks_per_row = 0;
  double rack_pitch_m = 0, row_pitch_m = 0;
  std::vector<Part> parts;  ///< switches, NICs, cables, as the file has them; those that are not needed left out

  [[nodiscard]] u32 rows() const { return (racks + racks_per_row - 1) / racks_per_row; }
  [[nodiscard]] double width_m() const { return std::min(racks, racks_per_row) * rack_pitch_m; }
  [[nodiscard]] double depth_m() const { return rows() * row_pitch_m; }
  [[nodiscard]] double price() const;
  [[nodiscard]] double watts() const;
  [[nodiscard]] double cable_m() const;
};

/// The rack of each router. They fill racks in the order of their numbers, with their nodes; a rack that is full is not
/// gone back to. Switches of further planes stand beside those of the first. Throws ConfigError if the nodes of a
/// switch do not fit into a rack.
[[nodiscard]] std::vector<u32> racks_of(const models::Topology& topology, const CostTable& table);

/// What the whole network costs, without its faults. A cable between racks is as long as their Manhattan distance and
/// the slack. Nodes inside routers have neither NIC nor cable. Throws ConfigError for a switch or cable that the table
/// has no kind for, and for networks without links or with more than 2^26 routers.
[[nodiscard]] NetworkCost cost_of(const models::Topology& topology, const CostTable& table);

}  // namespace weft::tools::cost
