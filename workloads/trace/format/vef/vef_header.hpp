// What the first lines of a VEF trace define: its size and its communicators.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/base/text/text_cursor.hpp"
#include "workloads/trace/event.hpp"

namespace weft::workloads {

struct VefHeader {
  /// A communicator of the trace.
  struct Group {
    u32 number = 0;  ///< in `communicators`
    u32 size = 0;
    std::vector<std::pair<u32, u32>> ranks;  ///< (task, rank), by task; empty: ranks are tasks
  };

  bool third = false;  ///< VEF3
  u32 tasks = 0;
  u64 messages = 0, collectives = 0, collective_lines = 0;
  u64 clock_ps = 1000;  ///< a unit of time
  std::vector<TraceCommunicator> communicators = {{}};
  std::unordered_map<u64, Group> groups;  ///< by the number in C<number>

  /// ~0: the task is none of it.
  [[nodiscard]] static u32 rank_of(const Group& group, u32 task);
};

/// Reads up to the first record. Throws InputError.
[[nodiscard]] VefHeader read_vef_header(TextCursor& text);

}  // namespace weft::workloads
