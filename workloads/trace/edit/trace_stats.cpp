// Counting; see the header.
#include "workloads/trace/edit/trace_stats.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/store/call_times.hpp"

namespace weft::workloads {
namespace {

class StatsCount {
 public:
  explicit StatsCount(u32 tasks) : to_(tasks) {
    stats_.tasks = tasks;
    stats_.times.resize(tasks);
    stats_.partners_to.resize(tasks);
    stats_.partners_from.resize(tasks);
  }

  void message(u32 from, u32 to, u64 bytes) {
    if (to >= stats_.tasks)
      throw InputError(
          fmt::format("task {} sends to task {}, and the trace has {} tasks; check the trace", from, to, stats_.tasks));
    if (bytes == TraceEvent::unknown_bytes) {
      ++stats_.messages_of_unknown_size;
      bytes = 0;
    } else {
      stats_.sizes[size_bin(bytes)].add(bytes);
    }
    stats_.messages.add(bytes);
    if (to_[to].count == 0) met_.push_back(to);
    to_[to].add(bytes);
  }
  void call(const TraceEvent& event) {
    u64 bytes = bytes_of_call(event);
    if (bytes == TraceEvent::unknown_bytes) {
      ++stats_.calls_of_unknown_size;
      bytes = 0;
    } else {
      stats_.collective_sizes[{event.operation, size_bin(bytes)}].add(bytes);
    }
    stats_.collectives[event.operation].add(bytes);
  }
  void collective_time(Collective operation, u64 ns) { stats_.collective_ns[operation] += ns; }
  void time(u32 task, TimeShares::Part part, u64 ns) { stats_.times[task].ns[part] += ns; }
  void end_task(u32 task) {
    std::ranges::sort(met_);
    for (const u32 to : met_) {
      stats_.pairs.push_back({task, to, to_[to]});
      to_[to] = {};
      ++stats_.partners_from[to];
    }
    stats_.partners_to[task] = static_cast<u32>(met_.size());
    met_.clear();
  }
  TraceStats finish(bool has_times) {
    stats_.has_times = has_times;
    return std::move(stats_);
  }

 private:
  TraceStats stats_;
  std::vector<Traffic> to_;  ///< [receiver]: of the task that is counted
  std::vector<u32> met_;
};

TimeShares::Part part_of(TraceEvent::Kind kind) {
  using Kind = TraceEvent::Kind;
  switch (kind) {
    case Kind::send:
    case Kind::isend:
      return TimeShares::sends;
    case Kind::receive:
    case Kind::ireceive:
    case Kind::probe:
      return TimeShares::receives;
    case Kind::wait:
      return TimeShares::waits;
    case Kind::collective:
      return TimeShares::collectives;
    default:
      return TimeShares::computing;
  }
}

/// Adds the times of an event of a task, which is the next.
void count_times(const StoreIndex& index, u32 task, CallTimes& times, const TraceEvent& event, StatsCount& count) {
  if (!index.has_times) {
    if (event.kind == TraceEvent::Kind::compute) count.time(task, TimeShares::computing, event.bytes);
    return;
  }
  const CallTimes::Step step = times.next(event);
  count.time(task, TimeShares::computing, step.computed_ns);
  count.time(task, TimeShares::calls, step.within_ns);
  count.time(task, part_of(event.kind), step.own_ns);
  if (event.kind == TraceEvent::Kind::collective) count.collective_time(event.operation, step.own_ns);
}

}  // namespace

u64 bytes_of_call(const TraceEvent& event) { return event.bytes == 0 ? event.bytes_received : event.bytes; }

TraceStats stats_of(const std::shared_ptr<const TraceStore>& store) {
  using Kind = TraceEvent::Kind;
  const StoreIndex& index = store->index();
  StatsCount count(index.tasks);
  TraceEvent event;
  for (u32 task = 0; task < index.tasks; ++task) {
    const auto events = TraceStore::events(store, task);
    CallTimes times(index);
    while (events->next(event)) {
      count_times(index, task, times, event, count);
      if (event.kind == Kind::send || event.kind == Kind::isend) count.message(task, event.peer, event.bytes);
      if (event.kind == Kind::collective) count.call(event);
    }
    count.end_task(task);
  }
  return count.finish(index.has_times);
}

TraceStats stats_of(const Program& graphs) {
  StatsCount count(graphs.tasks());
  for (u32 task = 0; task < graphs.tasks(); ++task) {
    for (const GraphOp& op : graphs.graph(TaskId(task)).ops) {
      if (op.kind == GraphOp::Kind::send) count.message(task, op.peer, op.amount);
      if (op.kind == GraphOp::Kind::compute) count.time(task, TimeShares::computing, op.amount);
    }
    count.end_task(task);
  }
  return count.finish(false);
}

}  // namespace weft::workloads
