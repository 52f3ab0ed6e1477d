// The events of a task as the operations that a replay runs, one after the other.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "workloads/program/program.hpp"
#include "workloads/trace/replay/collective_calls.hpp"
#include "workloads/trace/replay/left_out.hpp"
#include "workloads/trace/replay/receives_ahead.hpp"
#include "workloads/trace/store/call_times.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// What a replay makes of events.
struct ReplayRules {
  double cycles_per_ns = 0;  ///< sends begin at their recorded times, in cycles; 0: when tasks are that far
  std::vector<std::string> left_out = {};  ///< names of regions whose events take no part
  /// Sends and receives that are started are requests (Program::has_requests); else receives take place where they are
  /// waited for, and sends are waited for at once.
  bool requests = false;
  /// Sends that are blocking calls wait for their rendezvous; but for those of MPI_Sendrecv, of which the receive is
  /// waited for, and of messages inside of calls.
  bool sends_wait = false;
  /// Computing takes what this counter (number in StoreIndex::names) went up by, in place of the time of the trace.
  u32 counter = no_counter;
  double ns_per_count = 0;
  static constexpr u32 no_counter = ~u32{0};
  /// Calls that are refused (by number in StoreIndex::names), unless they are left out: what they move is in no event.
  std::vector<bool> refused = {};
};

/// A linear program (docs/replay.md): what is started and waited for are requests, or, unless the rules have them, a
/// receive where it is waited for; the same holds for receives of which the trace does not say soon what they took
/// (ReceivesAhead), and for collective calls, unless these are meetings. Between calls a task computes. At recorded
/// times nothing is waited for but these.
/// Larger than others: each sort of call of a trace leaves something that later ones refer to.
class EventOps final : public TaskStream {
 public:
  /// `streams`: about how many there will be at a time, in this process. `all_taken`, if it is there, counts events
  /// too.
  EventOps(const std::shared_ptr<const TraceStore>& store, u32 task, u64 streams,
           std::shared_ptr<CollectiveCalls> collectives, std::shared_ptr<const ReplayRules> rules,
           std::shared_ptr<u64> all_taken = {});
  /// Throws what events and collective calls throw. Waits for requests that were not started are nothing.
  Op next() override;
  /// Regions and calls of the trace, and after all names the collective operations that it has as calls.
  void add_regions(std::vector<u32>& inside) const override;
  /// Events that the operations so far are of.
  [[nodiscard]] u64 events() const { return taken_; }

 private:
  static constexpr u32 no_call = ~u32{0};
  void take(const TraceEvent& event);
  void resolve_regions();
  void refuse_one_sided(const TraceEvent& event) const;
  [[nodiscard]] u64 computed_before(const TraceEvent& event);
  void wait_until(const TraceEvent& event, u64 computed_ns);
  void message(OpKind kind, const TraceEvent& event);
  void blocking_send(const TraceEvent& event);
  [[nodiscard]] bool is_inside_a_call() const;
  void request(OpKind kind, const TraceEvent& event);
  void start_receive(const TraceEvent& event);
  void wait_later(const TraceEvent& event);
  void collective(const TraceEvent& event);
  void meet(const TraceEvent& event);
  void wait_for(const TraceEvent& event);
  /// The number of the operation that is put in next.
  [[nodiscard]] u64 number() const { return gone_ + ready_.size(); }

  u32 task_;
  u64 streams_;
  std::shared_ptr<const TraceStore> store_;
  std::unique_ptr<EventStream> events_;
  std::unique_ptr<ReceivesAhead> ahead_;  ///< from the first receive on that is started
  CallTimes times_;
  std::shared_ptr<CollectiveCalls> collectives_;
  std::shared_ptr<const ReplayRules> rules_;
  TraceEvent event_, next_;
  bool has_next_ = false;                                 ///< next_ has been read, and comes next
  std::vector<Op> ready_;                                 ///< operations of the last event
  std::size_t at_ = 0;                                    ///< of them, the next
  std::size_t first_of_call_ = 0;                         ///< of them, the first that is of a collective call
  u64 gone_ = 0;                                          ///< operations before those
  u32 call_ = no_call;                                    ///< Collective that the last event is, or waits for
  std::vector<u32> regions_;                              ///< names that were entered
  TraceEvent::Kind passing_ = TraceEvent::Kind::compute;  ///< enter, leave: of the last event
  u32 passed_ = 0;                                        ///< its name
  /// Receives and collective calls that take place where they are waited for, by request.
  std::unordered_map<u64, TraceEvent> started_;
  std::unordered_map<u64, u64> requests_;  ///< to the number of the operation
  std::unordered_map<u32, u32> calls_;     ///< collective ones so far, by communicator; where they are meetings
  u64 taken_ = 0;
  std::shared_ptr<u64> all_taken_;
  LeftOut left_out_;
};

}  // namespace weft::workloads
