// Cables that seem to be plugged in wrongly: a fabric works with them, but is not the tree that it was meant to be.
#pragma once

#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::models {

// `levels` of these functions are those of fabric_levels, one of each switch, or empty.

/// Two cables that seem to have exchanged ends: channels, upwards of the switches below where their levels are alike.
struct CrossedCables {
  u32 one = 0, other = 0;
  bool by_levels = false;  ///< neither leads from a level to the next, and both would
};
/// In a tree of levels, where most switches share their neighbours above with others: pairs of switches each of which
/// would share them too if the two exchanged a cable. Nothing where more than a third of the switches of a level, three
/// or more, are unlike all others, which then have no pattern to deviate from. Of cables_beyond_levels pairs that would
/// lead from a level to the next if they exchanged ends.
[[nodiscard]] std::vector<CrossedCables> crossed_cables(const Subnet& subnet, const std::vector<u32>& levels);

/// A switch with fewer cables than most of its level, or of all where there are no levels.
struct MissingCables {
  enum class Where : u8 { up, down, any };  ///< to the level above, below, to any switch
  u32 at_switch = 0;
  Where where = Where::any;
  u32 cables = 0, usual = 0;  ///< between switches; of most
  u64 alike = 0, all = 0;     ///< switches of its level that have the usual number; all of it
};
/// Switches that have fewer cables to other switches, up or down, than more than half of the switches of their level
/// have, of levels with three or more; cables beyond levels may be those that are missed. In the order of switches.
[[nodiscard]] std::vector<MissingCables> missing_cables(const Subnet& subnet, const std::vector<u32>& levels);

/// Channels, one of each cable, that do not lead from a level to the next where nearly all do (few_exceptions): cables
/// within a level, or past one. Without levels the numbers of links to the nearest switch with hosts are taken. None
/// where there are one-way links.
struct CableBeyondLevels {
  u32 channel = 0;
  u32 from = 0, to = 0;  ///< levels of its switches
};
[[nodiscard]] std::vector<CableBeyondLevels> cables_beyond_levels(const Subnet& subnet, std::vector<u32> levels);

}  // namespace weft::models
