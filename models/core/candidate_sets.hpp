// Sets of outputs and channels of which packets may take one: packets of an input with the same set share a queue.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/base/types.hpp"
#include "models/routing/routing.hpp"

namespace weft::models {

/// Candidates are numbered port * channels + channel, with the channels of all traffic classes.
struct CandidateSet {
  std::vector<u32> outputs;       ///< ascending, at least one
  std::vector<u16> ports;         ///< of those, each once, ascending
  u32 escape = Candidates::none;  ///< a candidate besides, while no other has credits
  u64 order = 0;                  ///< by the content alone: orders queues alike on all processes

  /// What a packet that waits with this set counts as at each of its ports.
  [[nodiscard]] u32 part_of(u32 cells) const {
    const u32 count = static_cast<u32>(ports.size());
    return (cells + count - 1) / count;
  }
};

/// The sets that packets of a process have had, each once; numbers are the process's own.
class CandidateSets {
 public:
  explicit CandidateSets(u32 channels) : channels_(channels) {}

  /// Its number; it is added if it is new.
  [[nodiscard]] u32 number_of(std::span<const u32> outputs, u32 escape);
  [[nodiscard]] const CandidateSet& operator[](u32 number) const { return sets_[number]; }
  /// Whether some have an escape.
  [[nodiscard]] bool escapes() const { return escapes_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  u32 channels_;
  bool escapes_ = false;
  std::vector<CandidateSet> sets_;
  std::unordered_map<u64, u32> numbers_;  ///< by CandidateSet::order
};

}  // namespace weft::models
