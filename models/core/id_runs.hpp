// An ascending list of ids that knows the place of each, kept as runs of consecutive ids.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::models {

class IdRuns {
 public:
  static constexpr u32 none = ~u32{0};

  /// Ids come in ascending order.
  void add(u32 id) {
    WEFT_ASSERT(runs_.empty() || id >= runs_.back().end);
    if (runs_.empty() || id != runs_.back().end) runs_.push_back({id, id, size_});
    ++runs_.back().end;
    ++size_;
  }
  [[nodiscard]] u32 size() const { return size_; }
  /// Place of an id in the list, or `none`.
  [[nodiscard]] u32 find(u32 id) const {
    const auto after = std::ranges::upper_bound(runs_, id, {}, &Run::first);
    if (after == runs_.begin()) return none;
    const Run& run = *std::prev(after);
    return id < run.end ? run.place + (id - run.first) : none;
  }
  /// How many ids of the list are less than `id`.
  [[nodiscard]] u32 before(u32 id) const {
    const auto after = std::ranges::upper_bound(runs_, id, {}, &Run::first);
    if (after == runs_.begin()) return 0;
    const Run& run = *std::prev(after);
    return run.place + (std::min(id, run.end) - run.first);
  }

 private:
  struct Run {
    u32 first, end;  ///< ids [first, end)
    u32 place;       ///< of the first
  };
  std::vector<Run> runs_;
  u32 size_ = 0;
};

}  // namespace weft::models
