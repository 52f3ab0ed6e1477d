// Communicators of traces of Dimemas and Paraver, by their numbers.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/base/text/text_cursor.hpp"
#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// What a trace defines. One that has all tasks in their order is number 0.
class TraceGroups {
 public:
  /// Throws by `text` if it is defined already, or its members cannot be.
  void define(u64 name, std::vector<u32> members, u32 tasks, const TextCursor& text);
  /// The number in `communicators`; of a trace that defines none, all are those of all tasks. ~0: not defined.
  [[nodiscard]] u32 number(u64 name) const;
  [[nodiscard]] const std::vector<TraceCommunicator>& communicators() const { return communicators_; }

 private:
  std::unordered_map<u64, u32> numbers_;
  std::vector<TraceCommunicator> communicators_ = {{}};
};

}  // namespace weft::workloads
