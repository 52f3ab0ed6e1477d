// Calls without records are told from those whose record stands behind them in the file.
#include "workloads/trace/format/bsc/lone_calls.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "workloads/trace/format/bsc/paraver_calls.hpp"

namespace weft::workloads {

void LoneCalls::add(u32 task, u64 number, u64 begin_ns, u64 end_ns, u64 line) {
  calls_[task].push_back({begin_ns, end_ns, number, line});
}

void LoneCalls::found(u32 task, u64 ns) {
  const auto calls = calls_.find(task);
  if (calls == calls_.end()) return;
  const auto behind = std::ranges::upper_bound(calls->second, ns, {}, &Call::begin_ns);
  if (behind != calls->second.begin() && ns <= std::prev(behind)->end_ns) std::prev(behind)->lone = false;
}

std::vector<std::string> LoneCalls::notes(const std::string& name) const {
  u64 count = 0;
  u32 first_task = 0;
  const Call* first = nullptr;
  for (const auto& [task, calls] : calls_) {
    for (const Call& call : calls) {
      if (!call.lone) continue;
      ++count;
      if (first != nullptr && first->line <= call.line) continue;
      first = &call;
      first_task = task;
    }
  }
  if (first == nullptr) return {};
  return {
      fmt::format("messages of {} that have no record of communication (the first is {} of task {}, {}:{}): what "
                  "they sent or received is missing, unless it was for MPI_PROC_NULL; merge or record the trace "
                  "again",
                  count == 1 ? "1 call" : fmt::format("{} calls", count), paraver_name(first->number), first_task, name,
                  first->line)};
}

}  // namespace weft::workloads
