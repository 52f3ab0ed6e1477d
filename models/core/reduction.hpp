// What a host has a network combine, or copy: the nodes that take part, and how much of it may be on its way.
#pragma once

#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// Chunks of packets of all members are combined packet by packet, and each member gets the result; or, if they are not
/// combined, only `giver` gives, and all get that. Done over as many trees of switches as there are channels, which
/// hosts number in a row, group by group. A packet says its tree, and its place: below `places`, and that of no other
/// packet of the tree that has not come back to who gave it.
struct ReductionGroup {
  struct Member {
    u32 node = 0;
    u8 target = 0;  ///< which of those of the node, as the host numbers them
  };
  std::vector<Member> members;
  u32 giver = 0;  ///< in `members`
  bool combines = true;
  u32 channels = 1, places = 1;
};

}  // namespace weft::models
