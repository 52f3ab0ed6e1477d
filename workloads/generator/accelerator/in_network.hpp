// Switches combine chunks and hand them out: SHARP, NVLS.
#pragma once

#include "workloads/generator/accelerator/group.hpp"

namespace weft::workloads {

/// What a channel does by the switch of a group, once more after so many repetitions.
struct SwitchChannel {
  u32 group = 0;  ///< of the program
  u32 channel = 0, channels = 1;
  u64 bytes = 0, chunk_bytes = 1;
  u32 in_flight = 0;   ///< most chunks given and not got back; 0: any number
  u32 repetition = 0;  ///< how many came before
  [[nodiscard]] u64 chunks() const { return (bytes + chunk_bytes - 1) / chunk_bytes; }
  [[nodiscard]] u64 length(u64 chunk) const { return std::min(chunk_bytes, bytes - chunk * chunk_bytes); }
  /// Number of a chunk among those of the group: different for all that are on their way.
  [[nodiscard]] u32 number(u64 chunk) const {
    return static_cast<u32>((repetition * chunks() + chunk) * channels + channel);
  }
};

/// What a task gives. It waits by the counter for what it gets: before a repetition for all, then for the limit.
[[nodiscard]] OpGenerator give_chunks(RankPart part, SwitchChannel of, u32 counter);
/// What a task gets, in a lane of its own: a mark of the counter for each chunk.
[[nodiscard]] OpGenerator get_chunks(RankPart part, SwitchChannel of, u32 counter);

}  // namespace weft::workloads
