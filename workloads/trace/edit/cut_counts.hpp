// What a cut counts before it writes: how many messages of each channel, and collective calls of each communicator, the
// tasks have before and within their windows. It says which of them have all their ends within.
#pragma once

#include <unordered_map>
#include <vector>

#include "workloads/trace/edit/task_walk.hpp"

namespace weft::workloads {

/// Messages that follow each other: the n-th sent is the n-th received.
struct ChannelKey {
  u32 from = 0, to = 0, communicator = 0, tag = 0;
  u64 bytes = 0;  ///< 0 where messages are matched as in MPI
  friend bool operator==(const ChannelKey&, const ChannelKey&) = default;
};
struct ChannelKeyHash {
  std::size_t operator()(const ChannelKey& key) const;
};

/// Numbers from `begin` up to `end`, or none.
struct NumberRange {
  u64 begin = 0, end = 0;
  [[nodiscard]] bool has(u64 number) const { return number >= begin && number < end; }
};

/// Which tasks are kept, and how they are numbered then.
class KeptTasks {
 public:
  static constexpr u32 left_out = ~u32{0};
  /// Throws ConfigError for a task that the trace has not. No tasks: all of them.
  KeptTasks(const std::vector<u32>& tasks, u32 of);
  [[nodiscard]] bool all() const { return tasks_.size() == numbers_.size(); }
  [[nodiscard]] u32 count() const { return static_cast<u32>(tasks_.size()); }
  /// Ascending, as the trace has them.
  [[nodiscard]] const std::vector<u32>& tasks() const { return tasks_; }
  /// Its new number, or left_out.
  [[nodiscard]] u32 number(u32 task) const { return task < numbers_.size() ? numbers_[task] : left_out; }
  [[nodiscard]] bool has(u32 task) const { return number(task) != left_out; }

 private:
  std::vector<u32> tasks_, numbers_;
};

/// Memory grows with channels and communicators, not with events.
class CutCounts {
 public:
  /// `store`: of the trace, of which only the index is looked at.
  CutCounts(const StoreIndex& index, const KeptTasks& kept) : index_(index), kept_(kept) {}

  /// All events of a kept task. Throws InputError for a receive of which nobody knows the sender, before or within the
  /// window, and for a communicator that the trace does not define.
  void add(u32 task, TaskWalk& walk);
  /// After the last task.
  void finish();

  [[nodiscard]] ChannelKey channel(u32 from, u32 to, const TraceEvent& message) const;
  /// Messages whose both ends are within.
  [[nodiscard]] NumberRange kept_messages(const ChannelKey& channel) const;
  /// Whether the other end of a message that is not kept lies before the window of the other task, or after it.
  [[nodiscard]] bool sent_before(const ChannelKey& channel, u64 number) const;
  [[nodiscard]] bool received_before(const ChannelKey& channel, u64 number) const;
  [[nodiscard]] NumberRange kept_calls(u32 communicator) const { return communicators_.at(communicator).kept; }
  /// Whether a kept event names it.
  [[nodiscard]] bool is_used(u32 communicator) const { return used_[communicator]; }

  [[nodiscard]] u64 events_within() const { return events_within_; }
  [[nodiscard]] u32 tasks_without_window() const { return tasks_without_window_; }
  [[nodiscard]] u64 first_begin_ns() const { return first_begin_ns_; }  ///< of all windows, by their first events

 private:
  struct Channel {
    u64 sends_before = 0, sends_within = 0, receives_before = 0, receives_within = 0;
  };
  struct Calls {
    u64 before = 0, within = 0;
  };
  struct Communicator {
    u32 members_seen = 0;
    NumberRange kept{0, ~u64{0}};
  };
  void check_communicator(u32 task, const TaskWalk& walk);
  void add_event(u32 task, const TaskWalk& walk, std::unordered_map<u32, Calls>& calls);

  const StoreIndex& index_;
  const KeptTasks& kept_;
  std::unordered_map<ChannelKey, Channel, ChannelKeyHash> channels_;
  std::unordered_map<u32, Communicator> communicators_;
  std::vector<bool> used_;
  u64 events_within_ = 0, first_begin_ns_ = ~u64{0};
  u32 tasks_without_window_ = 0;
};

}  // namespace weft::workloads
