// VL arbitration of an output of a switch or a node in the plain simulator: rule 8 of docs/infiniband.md, step by step.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::reference {

/// What all outputs go by: entries of VL and weight, in blocks, and the limit of high priority as it is given.
struct VlTables {
  using Table = std::vector<std::pair<u32, u32>>;
  Table high, low;
  u32 limit = 0;
};

class VlArbiter {
 public:
  explicit VlArbiter(const VlTables& tables) : limit_(tables.limit), high_(tables.high), low_(tables.low) {
    high_left_ = start();
  }

  /// The lane that wins, of those that are available (one of a table at least). `cells`: of the packet that goes then.
  u32 arbitrate(const std::vector<bool>& available, const std::function<u32(u32 lane)>& cells) {
    const bool high = high_.has(available);
    if (high && (high_left_ > 0 || limit_ == no_limit)) return serve_high(available, cells);
    high_left_ = start();
    if (low_.has(available)) return low_.serve(available, cells);
    return serve_high(available, cells);
  }

 private:
  static constexpr u32 no_limit = 255;

  class Table {
   public:
    explicit Table(const VlTables::Table& given) {
      for (const auto& entry : given) {
        if (entry.second > 0) entries_.push_back(entry);
      }
      if (!entries_.empty()) left_ = entries_.front().second;
    }
    [[nodiscard]] bool has(const std::vector<bool>& available) const {
      for (const auto& [lane, weight] : entries_) {
        if (available[lane]) return true;
      }
      return false;
    }
    u32 serve(const std::vector<bool>& available, const std::function<u32(u32 lane)>& cells) {
      if (!available[entries_[place_].first] || left_ <= 0) {
        do {
          place_ = (place_ + 1) % entries_.size();
          left_ = entries_[place_].second;
        } while (!available[entries_[place_].first]);
      }
      const u32 lane = entries_[place_].first;
      left_ -= cells(lane);
      return lane;
    }

   private:
    VlTables::Table entries_;
    std::size_t place_ = 0;
    i64 left_ = 0;
  };

  [[nodiscard]] i64 start() const { return limit_ == 0 ? 1 : 64 * i64{limit_}; }
  u32 serve_high(const std::vector<bool>& available, const std::function<u32(u32 lane)>& cells) {
    const u32 lane = high_.serve(available, cells);
    high_left_ -= cells(lane);
    return lane;
  }

  u32 limit_;
  Table high_, low_;
  i64 high_left_;
};

/// The pointers of an output of a switch besides: of each lane to the number of a queue.
struct LaneOutput {
  VlArbiter arbiter;
  std::vector<u32> pointer;
};

}  // namespace weft::reference
