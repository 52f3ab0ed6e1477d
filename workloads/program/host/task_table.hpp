// What tasks keep by keys while a program runs (posted receives, unexpected messages, ...): one table a process, so
// that tasks that keep nothing take nothing.
#pragma once

#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"
#include "engine/random.hpp"
#include "models/core/large_pages.hpp"

namespace weft::workloads {

/// A task and up to four words.
struct TaskKey {
  u32 task = 0, a = 0, b = 0, c = 0, d = 0;
  friend bool operator==(const TaskKey&, const TaskKey&) = default;
  [[nodiscard]] u64 hash() const {
    const u64 low = static_cast<u64>(task) << 32 | a, high = static_cast<u64>(b) << 32 | (c ^ d << 16 ^ d >> 16);
    return engine::remix(low ^ engine::remix(high, 1), 2);
  }
};

/// Entries of one task in the order in which they were put in.
struct TaskList {
  static constexpr u32 none = ~u32{0};
  u32 first = none, last = none;
  [[nodiscard]] bool empty() const { return first == none; }
};

/// Entries with the same key are found first come, first served. An entry stands in the list of its task too, which the
/// task keeps (TaskList). Numbers of entries are good until those are removed. Nothing is allocated in steady state.
template <class Value>
class TaskTable {
 public:
  static constexpr u32 none = TaskList::none;

  /// Behind all others. `listed_only`: it is not found by its key.
  u32 push(TaskList& list, const TaskKey& key, const Value& value, bool listed_only = false) {
    const u32 entry = take_free();
    pool_[entry] = {key, none, value, entry, none, list.last, listed_only};
    if (list.empty()) {
      list.first = entry;
    } else {
      pool_[list.last].next = entry;
    }
    list.last = entry;
    if (!listed_only) add_to_chain(entry);
    return entry;
  }
  /// The oldest entry with this key, or none.
  [[nodiscard]] u32 find(const TaskKey& key) const { return used_ == 0 ? none : slots_[slot_of(key)]; }
  [[nodiscard]] Value& operator[](u32 entry) { return pool_[entry].value; }
  [[nodiscard]] const Value& operator[](u32 entry) const { return pool_[entry].value; }
  [[nodiscard]] const TaskKey& key(u32 entry) const { return pool_[entry].key; }
  [[nodiscard]] bool listed_only(u32 entry) const { return pool_[entry].listed_only; }
  /// The next in the list of the task, or none.
  [[nodiscard]] u32 after(u32 entry) const { return pool_[entry].next; }
  /// Removes an entry, the oldest of its key.
  void remove(TaskList& list, u32 entry) {
    Entry& e = pool_[entry];
    (e.previous == none ? list.first : pool_[e.previous].next) = e.next;
    (e.next == none ? list.last : pool_[e.next].previous) = e.previous;
    if (!e.listed_only) remove_from_chain(entry);
    e.next_same = free_;
    free_ = entry;
  }
  [[nodiscard]] u64 bytes() const { return pool_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(u32); }

 private:
  struct Entry {
    TaskKey key;
    u32 next_same = none;  ///< of the same key; of free entries: the next free one
    Value value;
    u32 last_same = none;  ///< in the first of a key: the last one
    u32 next = none, previous = none;
    bool listed_only = false;
  };

  u32 take_free() {
    if (free_ == none) {
      pool_.emplace_back();
      return static_cast<u32>(pool_.size() - 1);
    }
    const u32 entry = free_;
    free_ = pool_[entry].next_same;
    return entry;
  }
  /// Where the first entry of a key is, or the empty slot where it would be.
  [[nodiscard]] std::size_t slot_of(const TaskKey& key) const {
    std::size_t slot = key.hash() & mask_;
    while (slots_[slot] != none && !(pool_[slots_[slot]].key == key)) slot = (slot + 1) & mask_;
    return slot;
  }
  void add_to_chain(u32 entry) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    u32& slot = slots_[slot_of(pool_[entry].key)];
    if (slot == none) {
      slot = entry;
      ++used_;
      return;
    }
    Entry& first = pool_[slot];
    pool_[first.last_same].next_same = entry;
    first.last_same = entry;
  }
  void remove_from_chain(u32 entry) {
    const std::size_t slot = slot_of(pool_[entry].key);
    const Entry& e = pool_[entry];
    if (slots_[slot] != entry) return remove_behind(slots_[slot], entry);
    if (e.next_same != none) {
      pool_[e.next_same].last_same = e.last_same;
      slots_[slot] = e.next_same;
      return;
    }
    --used_;
    close_gap(slot);
  }
  /// Takes an entry out that is not the first of its key.
  void remove_behind(u32 first, u32 entry) {
    u32 before = first;
    while (pool_[before].next_same != entry) before = pool_[before].next_same;
    pool_[before].next_same = pool_[entry].next_same;
    if (pool_[first].last_same == entry) pool_[first].last_same = before;
  }
  /// Empties a slot and moves back what others were kept from their own place by.
  void close_gap(std::size_t gap) {
    for (std::size_t at = (gap + 1) & mask_; slots_[at] != none; at = (at + 1) & mask_) {
      const std::size_t home = pool_[slots_[at]].key.hash() & mask_;
      if (((at - home) & mask_) < ((at - gap) & mask_)) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = none;
  }
  void grow() {
    const models::LargeVector<u32> before = std::move(slots_);
    slots_.assign(before.empty() ? 16 : before.size() * 2, none);
    mask_ = slots_.size() - 1;
    for (const u32 entry : before) {
      if (entry != none) slots_[slot_of(pool_[entry].key)] = entry;
    }
  }

  models::LargeVector<Entry> pool_;
  models::LargeVector<u32> slots_;  ///< open addressing, a power of two: first entries of keys
  std::size_t mask_ = 0, used_ = 0;
  u32 free_ = none;
};

}  // namespace weft::workloads
