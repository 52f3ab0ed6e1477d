// The channels of a network and what the packets in them wait for, and whether these can come to wait for one another
// in a cycle.
#pragma once

#include <span>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// How a packet takes one of its candidates.
enum class TakesCandidate : u8 {
  any,        ///< it waits until one of them has free space, and takes that: one that is safe will do (escape channels)
  committed,  ///< it takes to one before that has free space, and stays with it: all of them must be safe
};

/// Channels, numbered from 0 by the caller, and waits: a packet in a channel needs free space in one of some others. A
/// channel *drains* if every packet that can be in it has come to its end, or has a candidate that drains
/// (TakesCandidate::any; committed: all of its candidates do). Where all channels drain there is no deadlock: J. Duato,
/// "A necessary and sufficient condition for deadlock-free routing in cut-through and store-and-forward networks", IEEE
/// TPDS 7(8), 1996. With one candidate for each packet that is Dally's and Seitz's graph without cycles (IEEE Trans.
/// Computers 36(5), 1987). What does not drain need not come to pass: nothing is known of which packets can be there at
/// the same time.
class ChannelGraph {
 public:
  /// A packet in a channel, as an example: its numbers are the caller's.
  struct Waiting {
    u32 channel = 0, from = 0, to = 0;
  };

  /// A packet on its way between two nodes can be in a channel and wait for `candidates`, at least one, ascending. The
  /// same wait once more adds nothing.
  void add(const Waiting& packet, std::span<const u32> candidates);
  /// Waits that differ.
  [[nodiscard]] std::size_t waits() const { return waits_.size(); }
  /// Packets of which each waits for free space in the channel of the next, the last in that of the first; empty if all
  /// channels drain.
  [[nodiscard]] std::vector<Waiting> find_cycle(TakesCandidate takes) const;

 private:
  struct Wait {
    Waiting packet;
    u32 first_candidate = 0, candidates = 0;  ///< in candidates_
  };
  struct Lists;
  struct Drained;

  [[nodiscard]] std::span<const u32> candidates_of(const Wait& wait) const {
    return {candidates_.data() + wait.first_candidate, wait.candidates};
  }
  void rehash();
  [[nodiscard]] static u64 hash(u32 channel, std::span<const u32> candidates);
  [[nodiscard]] Drained drain(TakesCandidate takes) const;
  [[nodiscard]] std::vector<Waiting> shortest_circle(const Drained& drained, u32 start) const;

  u32 channels_ = 0;  ///< one more than the highest number
  std::vector<Wait> waits_;
  std::vector<u32> candidates_;
  std::vector<u32> slots_;  ///< hash table: number of a wait + 1; 0: free
};

}  // namespace weft::models
