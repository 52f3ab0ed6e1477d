// Calls of Paraver traces that send or receive, but have no record of a message.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Memory grows with the calls that have no record.
class LoneCalls {
 public:
  /// A call whose record, if there is one, is still to come.
  void add(u32 task, u64 number, u64 begin_ns, u64 end_ns, u64 line);
  /// A record says that a task sent or received a message at that moment.
  void found(u32 task, u64 ns);
  /// How many there are and where the first one stands, or nothing if there are none. `name`: of the trace.
  [[nodiscard]] std::vector<std::string> notes(const std::string& name) const;

 private:
  struct Call {
    u64 begin_ns, end_ns, number, line;
    bool lone = true;
  };
  std::unordered_map<u32, std::vector<Call>> calls_;  ///< by task, in order
};

}  // namespace weft::workloads
