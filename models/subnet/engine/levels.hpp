// Which switches of a fabric are above which: roots for up/down routing, levels of fat trees.
#pragma once

#include <vector>

#include "models/subnet/switch_graph.hpp"

namespace weft::models {

/// Levels above the switches with hosts, which are level 0. Empty if it is no tree of levels: a link between switches
/// of one level, a one-way link, or a switch that no host reaches.
[[nodiscard]] std::vector<u32> tree_levels(const SwitchGraph& graph);

/// Whether so few of the cables between switches do not lead from a level to the next that the others make levels: one
/// in a hundred, or two.
[[nodiscard]] bool few_exceptions(u64 exceptions, u64 cables);

/// Levels as most switches have them, and what does not fit.
struct MajorityLevels {
  std::vector<u32> level;        ///< [switch]; empty: not even most cables lead from a level to the next
  std::vector<u32> hosts_above;  ///< switches above the lowest level that have hosts
  /// Switches of each level; empty if there are none.
  [[nodiscard]] std::vector<u64> switches() const;
};
/// Whether a cable between switches of these levels leads from a level to the next.
[[nodiscard]] constexpr bool are_next(u32 level, u32 other) { return level + 1 == other || other + 1 == level; }
/// tree_levels if there are any. Else levels counted from the switches that have at least so many hosts, the least
/// number (up to that which most have) with which few cables (few_exceptions) do not lead from a level to the next. A
/// switch is on the level that fits most of its cables: one from a leaf to the top does not pull the top down.
[[nodiscard]] MajorityLevels majority_levels(const SwitchGraph& graph);

/// Switches that up/down routing takes for the top: the highest level of a tree of levels, else the centre: the switch
/// that is least far from all others (largest distance first, then their sum, then its number). One more of each part
/// of a fabric in parts.
[[nodiscard]] std::vector<u32> roots_of(const SwitchGraph& graph);

/// The centre alone, of each part of the fabric.
[[nodiscard]] std::vector<u32> centres_of(const SwitchGraph& graph);

/// An order of the switches from the roots down: by distance from them, then by number. Smaller is higher.
[[nodiscard]] std::vector<u64> order_below(const SwitchGraph& graph, const std::vector<u32>& roots);

}  // namespace weft::models
