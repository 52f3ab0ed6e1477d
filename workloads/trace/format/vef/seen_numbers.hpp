// Which numbers have come, of those that come nearly in order.
#pragma once

#include <unordered_set>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Takes memory for those numbers only that come before smaller ones.
class SeenNumbers {
 public:
  /// False if it has come before.
  bool add(u64 number) {
    if (has(number)) return false;
    early_.insert(number);
    while (early_.erase(below_) > 0) ++below_;
    return true;
  }
  [[nodiscard]] bool has(u64 number) const { return number < below_ || early_.contains(number); }
  /// All below have come.
  [[nodiscard]] u64 below() const { return below_; }

 private:
  u64 below_ = 0;
  std::unordered_set<u64> early_;
};

}  // namespace weft::workloads
