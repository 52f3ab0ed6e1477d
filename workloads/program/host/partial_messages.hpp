// Messages of which packets have come, but not all: asked for every packet, so that each lies in half a cache line.
#pragma once

#include <vector>

#include "engine/base/prefetch.hpp"
#include "engine/base/types.hpp"
#include "models/core/large_pages.hpp"

namespace weft::workloads {

/// The table of a process, for all its tasks. Nothing is allocated in steady state.
class PartialMessages {
 public:
  /// A message to a task. Plain data: it lies in checkpoints.
  struct Key {
    u32 task = 0;    ///< that it goes to
    u32 source = 0;  ///< task, or group of switches (`from_switch`)
    u32 number = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    Key key;
    u32 missing = 0;  ///< packets
  };
  static constexpr u32 from_switch = u32{1} << 31;  ///< in a source: what switches combined

  /// One more packet of a message has come. Whether it is the last; packets() is asked, for how many the message has,
  /// at the first.
  template <class Packets>
  bool completes(const Key& key, Packets&& packets) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    ++changes_;
    std::size_t slot = home_of(key);
    while (slots_[slot].missing != 0 && slots_[slot].key != key) slot = (slot + 1) & mask_;
    Entry& entry = slots_[slot];
    if (entry.missing == 0) {
      entry = {key, packets() - 1};
      ++used_;
      return false;
    }
    if (--entry.missing > 0) return false;
    --used_;
    close_gap(slot);
    return true;
  }
  /// Starts to load what `completes` will ask for.
  void prefetch(const Key& key) const { engine::prefetch(slots_.data() + home_of(key)); }
  /// Whatever has come for a task is forgotten. Between ticks.
  void forget(u32 task);
  /// One that a checkpoint has.
  void add(const Entry& entry);
  /// What a task has, in the order of their keys. Between ticks: it sorts them all if one has changed.
  [[nodiscard]] std::vector<Entry> of_task(u32 task) const;

 private:
  [[nodiscard]] std::size_t home_of(const Key& key) const {
    u64 hash = (static_cast<u64>(key.task) << 32 | key.number) * 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ hash >> 32 ^ key.source) * 0xbf58476d1ce4e5b9ULL;
    return (hash >> 32) & mask_;
  }
  void close_gap(std::size_t gap);
  void grow();

  models::LargeVector<Entry> slots_;  ///< open addressing, a power of two; no packets missing: empty
  std::size_t mask_ = 0, used_ = 0;
  u64 changes_ = 0;
  mutable std::vector<Entry> sorted_;  ///< as they were after so many changes
  mutable u64 sorted_after_ = 0;
};

}  // namespace weft::workloads
