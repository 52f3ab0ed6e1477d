// A task that is a process outside of the simulator: its steps become operations, and it is told what came of them.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "workloads/program/external/computing_cost.hpp"
#include "workloads/program/external/process_link.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

/// What a process did.
struct ProcessCounts {
  u64 sent = 0, sent_bytes = 0, received = 0, received_bytes = 0;  ///< messages; received: that receives have completed
  u64 polls = 0, answers = 0;
  u64 computed_ns = 0;
  u64 beyond_table = 0;  ///< computing that the table of costs had no time for
  u64 end_ps = 0;        ///< simulated: when it said that it ended, or how far it came
  u32 call = 0;          ///< what its program called last: number in `call_names`
  bool is_over = false;
};

/// How time passes for a process, and what it may send.
struct ProcessTimes {
  u64 poll_ns = 100;                     ///< of a look at messages or requests, whatever it finds
  double ps_of_tick = 1;                 ///< how long a tick is
  u64 rendezvous_bytes = 0;              ///< longer messages wait for their receives; 0: none does
  std::vector<u64>* recorded = nullptr;  ///< where the costs of this task are recorded, if at all
  u32 task = 0;                          ///< for errors
  TaskLimits limits = {};

  [[nodiscard]] bool rendezvous(u64 bytes) const { return rendezvous_bytes > 0 && bytes > rendezvous_bytes; }
};

/// A task that is a process outside. Larger than others: it keeps what the process said and was told, in both
/// directions.
class ProcessStream final : public TaskStream {
 public:
  /// What it counts is put into `counts`, which outlives it.
  ProcessStream(std::unique_ptr<ProcessLink> link, ComputingCost cost, const ProcessTimes& times, ProcessCounts& counts)
      : link_(std::move(link)), cost_(std::move(cost)), times_(times), counts_(counts) {}

  /// Waits for the process where its next step is not known. Throws SystemError if that is too much.
  Op next() override;
  void at(Tick tick) override { now_ = tick; }
  bool takes(const Message& message, Tick tick) override;
  void matched(u32 operation, const ReceivedMessage& message, Tick tick) override;
  void complete(u32 operation, Tick tick) override;

 private:
  /// A send or receive that is not complete.
  struct Request {
    u32 number = 0;  ///< the process's own
    bool is_matched = false, is_quiet = false;
    Completion completion = {};
  };
  /// A message that is there, and that no receive has taken.
  struct Unexpected {
    u32 source = 0, tag = 0, communicator = 0, number = 0;
    u64 bytes = 0;
  };

  /// An operation of the task; counts them.
  Op give(Op op);
  Op compute(u64 ns);
  u64 next_cost(u64 measured_ns);
  [[nodiscard]] u64 now_ps() const;
  /// Time that passes before the step itself is looked at; `end` if none is left.
  Op time_before();
  Op send();
  Op start(OpKind kind);
  Op wait();
  Op withdraw();
  [[nodiscard]] const Unexpected* find() const;
  void answer(const Unexpected* found);
  /// The process computes from now on: it takes the time for that at once, if it is known, so that others go on.
  Op go_on();

  std::unique_ptr<ProcessLink> link_;
  ComputingCost cost_;
  ProcessTimes times_;
  ProcessCounts& counts_;
  Command command_;  ///< the step at hand, if there is one
  bool has_command_ = false;
  bool is_charged_ = false, is_polled_ = false;  ///< the computing before it, and looking, have taken their time
  bool is_paid_ = false;                         ///< the computing before the next one has
  bool is_over_ = false;
  Tick now_ = 0;
  u32 operations_ = 0;  ///< of the task so far
  static constexpr u32 none_awaited = ~u32{0};
  u32 awaited_ = none_awaited;                 ///< operation that comes to its end before the next step
  std::unordered_map<u32, Request> requests_;  ///< by operation
  std::unordered_map<u32, u32> operation_of_;  ///< of a request of the process
  std::deque<Completion> completions_;         ///< that it has not been told of
  std::vector<Completion> told_;               ///< scratch
  std::deque<Unexpected> unexpected_;          ///< in the order in which they came
};

}  // namespace weft::workloads
