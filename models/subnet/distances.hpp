// What the cables of a fabric allow, whatever its tables say: connected parts, levels, shortest paths.
#pragma once

#include <vector>

#include "engine/base/types.hpp"
#include "models/subnet/engine/levels.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::models {

/// Connected parts, one-way links taken as links, and what is in none.
struct Connection {
  u32 parts = 0;                       ///< of switches that are joined; a switch without cables to others is a part
  std::vector<u32> part_of;            ///< [switch]
  std::vector<u32> hosts_in;           ///< [part]
  std::vector<u32> uncabled_hosts;     ///< numbers
  std::vector<u32> uncabled_switches;  ///< without any cable
};
[[nodiscard]] Connection connection_of(const Subnet& subnet);

/// Level of every switch: links to the nearest switch with hosts. Empty unless every link leads from a level to the
/// next and there are two levels or more: then the fabric is a tree. One-way links make no tree.
[[nodiscard]] std::vector<u32> tree_levels(const Subnet& subnet);

/// tree_levels, or the levels that most switches have where some do not fit (majority_levels of engine/levels.hpp):
/// what people call the levels of a fabric that has grown.
[[nodiscard]] MajorityLevels fabric_levels(const Subnet& subnet);

/// Shortest paths between hosts.
struct MinimalSurvey {
  std::vector<u64> links;     ///< [links]: ordered pairs of hosts that are so far apart, their own two links included
  u64 unreachable_pairs = 0;  ///< of cabled hosts
  std::vector<u64> alternatives;  ///< [n]: pairs (switch, host) for which n ports of the switch lie on a shortest path
};
[[nodiscard]] MinimalSurvey survey_minimal(const Subnet& subnet);

}  // namespace weft::models
