// Trees of switches that combine what their members give, and copy what these get. docs/in-network-reduction.md has the
// rules.
#pragma once

#include <vector>

#include "models/core/reduction.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::cells {

/// A port of a switch that leads down a tree: to a switch, or to a member.
struct TreeChild {
  static constexpr u32 no_node = ~u32{0};
  u32 port = 0;
  u32 node = no_node;  ///< of a member
  u8 target = 0;       ///< Member::target
};

/// A switch in a tree.
struct TreeSwitch {
  static constexpr u32 no_port = ~u32{0};
  u32 router = 0;
  u32 parent = no_port;  ///< port that leads up; the root has none
  std::vector<TreeChild> children;
};

/// [tree], of all groups in turn: its switches in ascending order. Throws ConfigError if links do not join the members
/// of a group both ways.
[[nodiscard]] std::vector<std::vector<TreeSwitch>> reduction_trees(const Topology& topology,
                                                                   const std::vector<ReductionGroup>& groups);

}  // namespace weft::models::cells
