// What changes at a port of a switch of cells or of a node, besides what PortTable has in arrays.
#pragma once

#include <algorithm>
#include <type_traits>

#include "engine/base/types.hpp"

namespace weft::models::cells {

/// What changes. Plain bytes: a checkpoint copies it.
struct Port {
  // The link out.
  Tick stream_start = 0;   ///< credits that come back one by one: the tick of the first,
  u32 stream_cells = 0;    ///< how many in all, those included that have come,
  u32 stream_spacing = 1;  ///< the ticks between two,
  u16 stream_vc = 0;       ///< and of which channel they are
  u16 turn = 0;            ///< the channel that the link looks at first
  // The input.
  u16 accept = 0;          ///< iSLIP: the output that it looks at first
  u16 candidate_turn = 0;  ///< the candidate of a packet with several that is looked at first
  u8 awaited = 0;          ///< somebody waits for credits that have not set out yet
  u8 first_vc = 0;         ///< iSLIP, of the link out: the VC that it looks at first,
  u16 first_place = 0;     ///< and the place (Matching)
  u32 waiting_cells = 0;   ///< of packets in the buffers of this switch for this output; parts of those with a choice

  /// How many of a channel's credits have come of those that come one by one.
  [[nodiscard]] u32 streamed(u32 vc, Tick now) const {
    if (vc != stream_vc || stream_cells == 0) return 0;
    return static_cast<u32>(std::min<Tick>(stream_cells, (now - stream_start) / stream_spacing + 1));
  }
};
static_assert(sizeof(Port) == 32 && std::is_trivially_copyable_v<Port>);

}  // namespace weft::models::cells
