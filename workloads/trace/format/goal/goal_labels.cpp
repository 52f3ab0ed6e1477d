// A hash table of labels whose names lie in one text.
#include "workloads/trace/format/goal/goal_labels.hpp"

#include <functional>

namespace weft::workloads {
namespace {

constexpr std::size_t fewest_label_slots = 64;

}  // namespace

u32 GoalLabels::number(std::string_view wanted, u32 line) {
  if (slots_.empty()) slots_.assign(fewest_label_slots, none);
  const u32 hash = static_cast<u32>(std::hash<std::string_view>{}(wanted));
  for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
    const u32 found = slots_[slot];
    if (found == none) break;
    if (entries_[found].hash == hash && name(found) == wanted) return found;
  }
  const u32 added = size();
  entries_.push_back({text_.size(), static_cast<u32>(wanted.size()), hash, {none, line}});
  text_ += wanted;
  if (2 * entries_.size() > slots_.size()) {
    slots_.assign(2 * slots_.size(), none);
    for (u32 number = 0; number < added; ++number) place(number);
  }
  place(added);
  return added;
}

void GoalLabels::place(u32 number) {
  std::size_t slot = entries_[number].hash & (slots_.size() - 1);
  while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = number;
}

void GoalLabels::clear() {
  text_.clear();
  entries_.clear();
  slots_.assign(fewest_label_slots, none);
}

}  // namespace weft::workloads
