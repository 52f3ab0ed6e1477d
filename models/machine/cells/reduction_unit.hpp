// The part of a switch that combines packets and copies them: what it keeps.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/base/error.hpp"
#include "models/core/packet_pool.hpp"
#include "models/machine/cells/reduction_tree.hpp"

namespace weft::models::cells {

/// What a switch, or a node, keeps to combine and copy packets; a node has the queue for its own link only. All packets
/// are in the network's pool.
struct ReductionUnit {
  /// What a switch does for one tree.
  struct Part {
    u32 tree = 0;
    u32 parent = TreeSwitch::no_port;
    std::vector<TreeChild> children;
    u32 member = 0;          ///< node of the first, which packets on their way are said to be of
    std::vector<List> sums;  ///< [place] the packet, if some have given it; Stored::output counts them. Empty if the
                             ///< tree does not combine
    List ready;              ///< sums that are complete, in the order in which they go on
  };
  /// Packets that wait at an output for its link, at most, besides the copies of one.
  static constexpr u32 most_waiting = 2;

  std::vector<Part> parts;  ///< by tree
  std::vector<List> come;   ///< [port of the switch] packets to be copied; they are in the input's buffer still
  std::vector<List> out;    ///< [port] what goes next
  std::vector<Tick> until;  ///< [port] when the link has taken the last of these
  u32 turn = 0;             ///< the part, or the port behind those, that goes on first
  u32 packets = 0;          ///< in `ready`, `come` and `out`

  [[nodiscard]] Part& part(u32 tree) {
    const auto found = std::ranges::lower_bound(parts, tree, {}, &Part::tree);
    WEFT_ASSERT(found != parts.end() && found->tree == tree);
    return *found;
  }
};

/// [entity]; null where there is none, empty in networks that combine nothing.
using ReductionUnits = std::vector<std::unique_ptr<ReductionUnit>>;

}  // namespace weft::models::cells
