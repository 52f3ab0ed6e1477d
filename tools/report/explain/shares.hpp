// What the pieces of a task add up to.
#pragma once

#include <map>
#include <string>

#include "tools/report/explain/pieces.hpp"

namespace weft::tools::explain {

/// A task in sums.
struct TaskShares {
  Parts parts;                  ///< without idle time
  std::map<u32, Parts> waits;   ///< by peer
  std::map<u32, Parts> calls;   ///< by number in TimelineJob::regions, `none` for what lies in none
  Tick begin = never, end = 0;  ///< of all pieces
  static constexpr u32 none = ~u32{0};
};

/// Each moment counts once: where several pieces lie side by side, as what the task does (computing before sending
/// before receiving), else as the wait that is over first. `pieces` are put in order of their begins.
[[nodiscard]] TaskShares shares_of(std::vector<Piece>& pieces);

/// Adds shares by innermost region, of pieces and regions that lie one behind the other.
void add_calls(TaskShares& shares, const std::vector<Piece>& pieces,
               std::span<const workloads::TimelineRecord> records);

}  // namespace weft::tools::explain
