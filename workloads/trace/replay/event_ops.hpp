// The events of a task as the operations that a replay runs, one after the other.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "workloads/program/program.hpp"
#include "workloads/trace/replay/collective_calls.hpp"
#include "workloads/trace/store/call_times.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// What a replay makes of events.
struct ReplayRules {
  double cycles_per_ns = 0;  ///< sends begin at their recorded times, in cycles; 0: when tasks are that far
  std::vector<std::string> left_out = {};  ///< names of regions whose events take no part
};

/// A linear program (docs/replay.md): sends do not wait; a non-blocking receive is one where its request is
/// waited for, in the order of the waits, and a non-blocking collective call too. Between calls a task computes. At
/// recorded times nothing is waited for but these.
class EventOps final : public TaskStream {
 public:
  /// `streams`: about how many there will be at a time, in this process.
  EventOps(const std::shared_ptr<const TraceStore>& store, u32 task, u64 streams,
           std::shared_ptr<CollectiveCalls> collectives, std::shared_ptr<const ReplayRules> rules);
  /// Throws what events and collective calls throw. Waits for requests that were not started are nothing.
  Op next() override;
  /// Regions and calls of the trace, and after all names the collective operations that it has as calls.
  void add_regions(std::vector<u32>& inside) const override;
  /// Events that the operations so far are of.
  [[nodiscard]] u64 events() const { return taken_; }

 private:
  static constexpr u32 no_call = ~u32{0};
  void take(const TraceEvent& event);
  void enter_or_leave(const TraceEvent& event);
  void settle_regions();
  void wait_until(const TraceEvent& event, u64 computed_ns);
  void message(OpKind kind, const TraceEvent& event);
  void wait_for(const TraceEvent& event);

  u32 task_;
  std::shared_ptr<const TraceStore> store_;
  std::unique_ptr<EventStream> events_;
  CallTimes times_;
  std::shared_ptr<CollectiveCalls> collectives_;
  std::shared_ptr<const ReplayRules> rules_;
  TraceEvent event_;
  std::vector<Op> ready_;                                 ///< operations of the last event
  std::size_t at_ = 0;                                    ///< of them, the next
  std::size_t first_of_call_ = 0;                         ///< of them, the first that is of a collective call
  u32 call_ = no_call;                                    ///< Collective that the last event is, or waits for
  std::vector<u32> regions_;                              ///< names that were entered
  TraceEvent::Kind passing_ = TraceEvent::Kind::compute;  ///< enter, leave: of the last event
  u32 passed_ = 0;                                        ///< its name
  std::unordered_map<u64, TraceEvent> started_;           ///< non-blocking receives and collective calls, by request
  u64 taken_ = 0;
  u32 skipped_ = 0;  ///< depth of regions that are left out
};

}  // namespace weft::workloads
