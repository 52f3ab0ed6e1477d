// Cables that seem to be plugged in wrongly: a fabric works with them, but is not the tree that it was meant to be.
#pragma once

#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::models {

/// Two cables whose upper ends seem exchanged: channels upwards of the switches below.
struct CrossedCables {
  u32 one = 0, other = 0;
};
/// In a tree of levels, where most switches share their neighbours above with others: pairs of switches each of which
/// would share them too if the two exchanged a cable. Nothing where more than an eighth of the switches of a level are
/// unlike the others, which then have no pattern to deviate from.
[[nodiscard]] std::vector<CrossedCables> crossed_cables(const Subnet& subnet);

/// A switch with fewer cables than most of its level, or of all where there are no levels.
struct MissingCables {
  enum class Where : u8 { up, down, any };  ///< to the level above, below, to any switch
  u32 at_switch = 0;
  Where where = Where::any;
  u32 cables = 0, usual = 0;  ///< between switches; of most
  u64 alike = 0, all = 0;     ///< switches of its level that have the usual number; all of it
};
/// Switches that have fewer cables to other switches, up or down, than more than half of the switches of their level
/// have, of levels with three or more. In the order of switches.
[[nodiscard]] std::vector<MissingCables> missing_cables(const Subnet& subnet);

/// Channels, one of each cable, between switches of one level where nearly all cables lead to another level: at most
/// one in a hundred, or two. Levels are fabric_levels, or else the numbers of links to the nearest switch with hosts.
[[nodiscard]] std::vector<u32> cables_within_levels(const Subnet& subnet);

}  // namespace weft::models
