// The first lines of Paraver traces.
#pragma once

#include <set>
#include <vector>

#include "engine/base/text/text_cursor.hpp"
#include "workloads/trace/format/bsc/trace_groups.hpp"

namespace weft::workloads {

struct ParaverHeader {
  u64 unit_ns = 1000;           ///< of times
  std::vector<u32> first_task;  ///< of each application, and the number of all tasks
  TraceGroups groups;           ///< by application << 32 | number
  std::set<u64> unknown_tasks;  ///< those of which a task is -1: only a call that uses one is an error
  [[nodiscard]] u32 tasks() const { return first_task.back(); }
  [[nodiscard]] u32 applications() const { return static_cast<u32>(first_task.size() - 1); }
};

/// Reads up to the first record. Throws InputError.
[[nodiscard]] ParaverHeader read_paraver_header(TextCursor& text);

/// A number from 1 on of a field behind ':', as one from 0 on.
[[nodiscard]] u64 paraver_index(TextCursor& text, const char* field, u64 count);
/// A number from 1 on of a field before ':', as one from 0 on.
[[nodiscard]] u64 paraver_number(TextCursor& text, const char* field, u64 count);
/// Application and task behind ':', as a task of the trace; and what is behind it, the thread from 0 on.
[[nodiscard]] u32 paraver_task(TextCursor& text, const ParaverHeader& header, u64& thread, u64* application = nullptr);

}  // namespace weft::workloads
