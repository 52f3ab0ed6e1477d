// A part of a trace as a trace: some tasks, or some of what they do, that can be replayed by itself.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "workloads/trace/edit/cut_window.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

struct CutChoice {
  std::vector<u32> tasks = {};  ///< to keep, in any order; empty: all. They are numbered anew, in ascending order
  CutWindow window = {};
  /// Messages of which one end lies within and the other one in what a kept task does before or after: whether the
  /// missing end is added (at the begin or end of that task's part), or the other one is left out.
  bool complete = false;
  /// Clocks of tasks have no common zero: what lies between marks, or in a region, begins at the same time for all, not
  /// so much later as its task's clock was ahead. (By times the window is the same on each task's own clock.)
  bool own_clocks = false;
};

/// Why an event within is left out, or completed.
enum class Crossing : u8 {
  send,                 ///< its receive is before or after the window of the receiver, or nowhere
  receive,              ///< its send is before or after the window of the sender, or nowhere
  send_to_left_out,     ///< the receiver is no kept task
  receive_of_left_out,  ///< the sender is none
  call,                 ///< not all members of the communicator have it within
  call_of_left_out,     ///< its root is no kept task
  probe                 ///< its message is not kept, or not known
};
inline constexpr std::size_t crossings_known = 7;

/// An event that crosses, with the numbers of the whole trace.
struct CrossingExample {
  u32 task = 0;
  u64 number = 0;    ///< of the event in its task, from 1
  TraceEvent event;  ///< of a non-blocking receive what came
};
struct CrossingCount {
  static constexpr std::size_t most_examples = 5;
  u64 events = 0, bytes = 0;  ///< of known bytes
  std::vector<CrossingExample> examples;
};

struct CutReport {
  std::array<CrossingCount, crossings_known> crossings;
  [[nodiscard]] const CrossingCount& of(Crossing crossing) const {
    return crossings[static_cast<std::size_t>(crossing)];
  }
  u64 kept_events = 0;  ///< of the trace; those that were added are apart
  u64 kept_sends = 0, kept_receives = 0, kept_calls = 0;
  u64 added_sends = 0, added_receives = 0;  ///< for what crosses
  u64 added_waits = 0;                      ///< for what is waited for behind the window
  u64 turned_waits = 0;                     ///< into receives, of what was started before the window
  u64 dropped_waits = 0;                    ///< for sends, receives and calls that are left out
  u32 tasks_without_window = 0;             ///< whose part is empty
};

struct CutTrace {
  std::shared_ptr<const TraceStore> store;
  CutReport report;
};

/// Two passes over the kept tasks (the second reads each twice). Memory: channels of messages, messages that cross, and
/// a bit for each event of one task. Throws ConfigError (no such tasks; nothing lies within; times of a trace that has
/// none), InputError (receives of anybody without what came), SystemError (disk).
[[nodiscard]] CutTrace cut_trace(const std::shared_ptr<const TraceStore>& store, const CutChoice& choice);

}  // namespace weft::workloads
