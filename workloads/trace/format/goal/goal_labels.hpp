// The labels of a rank of a GOAL file, found fast.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Labels get numbers in the order in which they are first named, be it as an operation's or as what one requires.
class GoalLabels {
 public:
  static constexpr u32 none = ~u32{0};

  struct Label {
    u32 op = none;  ///< the operation that has it, if it is known by now
    u32 line = 0;   ///< where it was first named
  };

  /// The number of a label, a new one if it was not named before.
  [[nodiscard]] u32 number(std::string_view name, u32 line);
  [[nodiscard]] Label& operator[](u32 number) { return entries_[number].label; }
  [[nodiscard]] std::string_view name(u32 number) const {
    return std::string_view(text_).substr(entries_[number].begin, entries_[number].length);
  }
  [[nodiscard]] u32 size() const { return static_cast<u32>(entries_.size()); }
  void clear();

 private:
  struct Entry {
    u64 begin;  ///< of its name in text_
    u32 length;
    u32 hash;
    Label label;
  };
  void place(u32 number);

  std::string text_;
  std::vector<Entry> entries_;
  std::vector<u32> slots_;  ///< numbers by hash, open addressing; a power of two of them, half of them `none` at least
};

}  // namespace weft::workloads
