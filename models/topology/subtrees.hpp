// Shares the switches of a tree out over ranks by its subtrees, from its dimensions alone: no graph is built.
#pragma once

#include "models/topology/kind/fat_tree.hpp"
#include "models/topology/part_of.hpp"

namespace weft::models {

/// Every part gets a run of neighbouring leaf switches, and of the switches on top of a subtree those that correspond
/// to its leaf switches: the one with index i of n goes to the part of the leaf switch i/n of the way through the
/// subtree. So a switch and its parents lie in one part wherever the subtree of the parents does, and of a subtree in
/// several parts each part has a share of the switches on top. Empty if there are more parts than leaf switches.
[[nodiscard]] PartOf subtree_partition(const TreeGeometry& tree, u32 parts);

}  // namespace weft::models
