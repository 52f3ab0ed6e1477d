// Collective operations of Dimemas and Paraver: their sizes, and the roots that only their own lines tell.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// By communicator, the roots of its operations with a root one after the other. Found by a pass of its own.
class CollectiveRoots {
 public:
  static constexpr u32 unknown = ~u32{0};
  /// A call of an operation with a root; those of a task in their order.
  void add(u32 task, u32 communicator, bool is_root);
  [[nodiscard]] u32 root(u32 communicator, u64 call) const;

 private:
  std::unordered_map<u64, u64> calls_;     ///< by task and communicator, so far
  std::map<u32, std::vector<u32>> roots_;  ///< [communicator][call]
};

/// The sizes of a call as events have them, of bytes sent and received by its task.
void set_call_sizes(TraceEvent& event, u64 sent, u64 received);

}  // namespace weft::workloads
