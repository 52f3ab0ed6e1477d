// What a packet carries of its route, and where it is.
#pragma once

#include "engine/base/types.hpp"

namespace weft::models {

/// What a packet carries of its route, for routings that need it: set at the source, changed by `leave`.
struct RouteState {
  u32 low = 0, high = 0;    ///< the routing's own: hops left, an intermediate node
  u16 links = 0;            ///< links travelled so far, node links included; kept by the network
  u8 phase = 0, spare = 0;  ///< the routing's own

  /// In place of `links`, of a packet that was lost on a link and is thrown away where it arrives.
  static constexpr u16 lost = 0xffff;
  [[nodiscard]] bool is_lost() const { return links == lost; }
  /// `event`: by which it was (FaultSchedule::events), kept in place of the route.
  void lose(u32 event) {
    links = lost;
    low = event;
  }
  [[nodiscard]] u64 word() const { return u64{high} << 32 | low; }
  void set_word(u64 word) {
    low = static_cast<u32>(word);
    high = static_cast<u32>(word >> 32);
  }
};
static_assert(sizeof(RouteState) == 12);

/// Where the first packet of a queue is.
struct QueuePlace {
  static constexpr u32 injection = ~u32{0};
  u32 router = 0;        ///< global number
  u32 port = injection;  ///< port that it came through, or `injection`
  u32 channel = 0;       ///< virtual channel that it came on; number of the injection queue
};

}  // namespace weft::models
