// How events lie in the store: variable-length records, times as differences from the event before.
//
// A byte (kind, 4 flags), then, as varints (seven bits a byte, lowest first, the top bit set on all but the last): with
// times the gap since the end of the event before (zigzag) and the duration; what the kind has. Numbers that may be
// "any", "none" or "unknown" are one more, 0 stands for that.
#pragma once

#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// Longest packed event without the lists of v collectives.
inline constexpr std::size_t most_packed_bytes = 96;

/// Packs events of one task, one after the other; `reset` begins anew, so that what follows can be read by itself.
class EventPacker {
 public:
  explicit EventPacker(bool has_times) : has_times_(has_times) {}
  void reset() { last_end_ = 0; }
  /// Appends to `to`.
  void pack(const TraceEvent& event, std::vector<u8>& to);

 private:
  bool has_times_;
  u64 last_end_ = 0;
};

/// Reads what EventPacker wrote.
class EventUnpacker {
 public:
  explicit EventUnpacker(bool has_times) : has_times_(has_times) {}
  void reset() { last_end_ = 0; }
  /// Puts the event that begins at `from` into `event`, all of it; where the next one begins, or null if `end` comes
  /// before the end of this one (then nothing has changed but `event`). Throws InputError for what cannot be.
  const u8* unpack(const u8* from, const u8* end, TraceEvent& event);

 private:
  bool has_times_;
  u64 last_end_ = 0;
};

}  // namespace weft::workloads
