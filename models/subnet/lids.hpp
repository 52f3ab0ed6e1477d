// Local identifiers for switches and hosts that have none.
#pragma once

#include <span>
#include <utility>

#include "models/subnet/subnet.hpp"

namespace weft::models {

/// Largest LID of unicast (InfiniBand architecture 1.3, 4.1.3).
constexpr u32 most_unicast_lid = 0xbfff;

/// Gives LIDs that are free to hosts without one, then to switches; a host with mask control lmc gets the first of
/// 2^lmc that follow each other, a multiple of that. Those there are stay. `others` are taken too: first LID and how
/// many. Returns the largest in use, which may be larger than what InfiniBand has room for.
u32 hand_out_lids(Subnet& subnet, std::span<const std::pair<u32, u32>> others = {});

}  // namespace weft::models
