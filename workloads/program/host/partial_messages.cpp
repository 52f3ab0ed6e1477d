// The table that grows, and what checkpoints keep of it.
#include "workloads/program/host/partial_messages.hpp"

#include <algorithm>

namespace weft::workloads {

void PartialMessages::add(const Entry& entry) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  ++changes_;
  ++used_;
  std::size_t slot = home_of(entry.key);
  while (slots_[slot].missing != 0) slot = (slot + 1) & mask_;
  slots_[slot] = entry;
}

std::vector<PartialMessages::Entry> PartialMessages::of_task(u32 task) const {
  if (sorted_after_ != changes_) {
    sorted_.clear();
    std::ranges::copy_if(slots_, std::back_inserter(sorted_), [](const Entry& entry) { return entry.missing != 0; });
    std::ranges::sort(sorted_, {}, &Entry::key);
    sorted_after_ = changes_;
  }
  const auto task_of = [](const Entry& entry) { return entry.key.task; };
  const auto own = std::ranges::equal_range(sorted_, task, {}, task_of);
  return {own.begin(), own.end()};
}

void PartialMessages::forget(u32 task) {
  for (const Entry& entry : of_task(task)) {
    std::size_t slot = home_of(entry.key);
    while (slots_[slot].key != entry.key || slots_[slot].missing == 0) slot = (slot + 1) & mask_;
    --used_;
    ++changes_;
    close_gap(slot);
  }
}

/// Empties a slot and moves back what others were kept from their own place by.
void PartialMessages::close_gap(std::size_t gap) {
  for (std::size_t at = (gap + 1) & mask_; slots_[at].missing != 0; at = (at + 1) & mask_) {
    const std::size_t home = home_of(slots_[at].key);
    if (((at - home) & mask_) < ((at - gap) & mask_)) continue;
    slots_[gap] = slots_[at];
    gap = at;
  }
  slots_[gap].missing = 0;
}

void PartialMessages::grow() {
  constexpr std::size_t least = 64;
  const models::LargeVector<Entry> before = std::move(slots_);
  slots_.assign(std::max(least, before.size() * 2), {});
  mask_ = slots_.size() - 1;
  used_ = 0;
  for (const Entry& entry : before) {
    if (entry.missing != 0) add(entry);
  }
}

}  // namespace weft::workloads
