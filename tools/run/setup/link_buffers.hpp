// Buffers that are shorter than the round trip of their links: nothing fails, but links carry less than they could.
#pragma once

#include "engine/base/types.hpp"

namespace weft::tools {

struct Context;

/// The buffer behind a link, and how long its credits are on their way.
struct LinkBuffer {
  u64 cells = 0;         ///< of each channel, at least those of a packet
  u64 packet_cells = 1;  ///< of the longest packet
  u64 kept = 0;          ///< cells of a buffer that channels share, for others of them
  u32 channels = 1;      ///< that a packet may take, each with such a buffer
  Tick round_trip = 0;   ///< from the last cell that needs a credit to the return of that, but for its own time
  Tick cell_ticks = 1;   ///< on the link

  /// The fraction of the link's time in which a stream of the longest packets can use it.
  [[nodiscard]] double share() const;
  /// The fewest cells of each channel with which that is all of it.
  [[nodiscard]] u64 enough_cells() const;
};

/// Warns if packets can use less than nine tenths of the links of some class. `channels`: of a link, how many a packet
/// may take at least.
void check_link_buffers(Context& context, u32 channels);

}  // namespace weft::tools
