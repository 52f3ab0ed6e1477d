// The events of a task beside the window of a cut, requests and what they wait for put together.
#pragma once

#include <memory>
#include <unordered_map>

#include "workloads/trace/edit/cut_window.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// Receives count where they end, as in a replay: a non-blocking one where it is waited for. One that was started in
/// the window and is waited for behind it counts as the last of the window.
class TaskWalk {
 public:
  using Kind = TraceEvent::Kind;
  /// What a wait is for.
  struct Started {
    TraceEvent event;  ///< without lists
    u64 number = 0;
    Where where = Where::before;
  };

  TaskWalk(std::shared_ptr<const TraceStore> store, u32 task, const CutWindow& window)
      : tracker_(window, store->index().names), events_(TraceStore::events(store, task)) {}

  /// The next event; false at the end.
  bool next();
  [[nodiscard]] const TraceEvent& event() const { return event_; }
  [[nodiscard]] u64 number() const { return number_; }  ///< of the event, from 0
  [[nodiscard]] Where where() const { return where_; }
  /// What a wait waits for, if its start is in the trace; else null.
  [[nodiscard]] const Started* started() const { return has_started_ ? &started_ : nullptr; }
  /// Whether a message has come with this event.
  [[nodiscard]] bool receives() const {
    return event_.kind == Kind::receive || (has_started_ && started_.event.kind == Kind::ireceive);
  }
  /// That receive, as a blocking one: what is known when it ends goes before what was known when it began.
  [[nodiscard]] TraceEvent received() const;
  [[nodiscard]] Where received_where() const { return ends_late() ? Where::within : where_; }
  /// A wait behind the window for what began within.
  [[nodiscard]] bool ends_late() const {
    return has_started_ && started_.where == Where::within && where_ == Where::after;
  }

 private:
  WindowTracker tracker_;
  std::unique_ptr<EventStream> events_;
  TraceEvent event_;
  u64 taken_ = 0, number_ = 0;
  Where where_ = Where::before;
  bool has_started_ = false;
  Started started_;
  std::unordered_map<u64, Started> open_;  ///< by request
};

}  // namespace weft::workloads
