// What happens to a part of the network during a run.
#pragma once

#include <optional>
#include <string>

#include "engine/base/types.hpp"

namespace weft::models {

/// What becomes of a part of the network, and when.
struct FaultEvent {
  enum class Part : u8 { link, router, node };
  enum class Change : u8 { down, up, error_rate, rate };
  Tick at = 0;
  Part part = Part::link;
  Change change = Change::down;
  bool one_way = false;    ///< of a link: only what leaves that router through that port
  u32 id = 0;              ///< of the router or node; of a link, the router at one of its ends
  u32 port = 0;            ///< of a link: the port there
  double error_rate = 0;   ///< of a link: the part of the packets that are lost on it
  double rate_factor = 1;  ///< of a link: the part of its rate that it has from then on
};

/// "link r3:2", "router 5", "node 7".
[[nodiscard]] std::string part_name(const FaultEvent& event);

/// An event as a user wrote it.
struct GivenFault : FaultEvent {
  std::optional<u32> far = {};  ///< of a link, in place of the port: the router at the other end
  std::string place = {};       ///< where it was given, for messages
};

}  // namespace weft::models
