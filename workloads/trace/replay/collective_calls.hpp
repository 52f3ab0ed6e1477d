// Collective calls of traces as the messages that carry them, by the algorithms of workloads/generator/collective; or
// as meetings that last as long as a cost model says.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "workloads/generator/collective/collective.hpp"
#include "workloads/program/task_limits.hpp"
#include "workloads/trace/event.hpp"
#include "workloads/trace/replay/collective_costs.hpp"

namespace weft::workloads {

/// How collective calls are carried out.
struct CollectiveRulesChoice {
  std::string library = {};        ///< whose rules choose algorithms (rules.hpp); empty: the usual ones
  u64 unknown_bytes = 0;           ///< of a call of which the trace has no size
  bool has_unknown_bytes = false;  ///< else such a call is refused
  TaskLimits limits = {};          ///< of single messages
  /// In place of messages: a call waits until all tasks have come, and for so long.
  std::shared_ptr<const CollectiveCosts> costs = {};
};

/// Makes the part of a task in a collective call. One for each process; not for several threads.
class CollectiveCalls {
 public:
  CollectiveCalls(std::vector<TraceCommunicator> communicators, u32 tasks, CollectiveRulesChoice choice);

  /// Appends to `ops` what `task` does for `call`. Peers are tasks of the trace; tags and communicators have their
  /// highest bits set, so that they are not those of other messages. Calls of a communicator come in the same order in
  /// all its tasks, so that their messages need not be told apart. Throws InputError if the task is not in the
  /// communicator, a size is not known, or a message is beyond the limits.
  void append(u32 task, const TraceEvent& call, std::vector<Op>& ops);

  // By a cost model.

  [[nodiscard]] const CollectiveCosts* costs() const { return choice_.costs.get(); }
  /// Tasks of a communicator.
  [[nodiscard]] u32 ranks(u32 communicator) const;
  /// What `task` does for `call`, the `number`-th one of its communicator, from 0: it comes to a meeting, or nothing
  /// (an empty Op) if it is alone in it. Throws InputError as `append`.
  [[nodiscard]] Op meeting(u32 task, const TraceEvent& call, u32 number) const;

 private:
  struct Group {
    std::vector<u32> members;                ///< empty: all tasks
    std::vector<std::pair<u32, u32>> ranks;  ///< (task, rank), by task
  };
  using Key = std::tuple<Collective, u32, u64>;  // operation, ranks, bytes
  [[nodiscard]] u32 rank_of(const Group& group, u32 task) const;
  [[nodiscard]] const Group& group_of(u32 task, const TraceEvent& call) const;
  [[nodiscard]] u64 known(u64 bytes, const TraceEvent& call) const;
  [[nodiscard]] std::pair<u64, u64> sizes_of(const TraceEvent& call) const;
  /// `place`: ranks behind the root. Null if there is nothing to do.
  [[nodiscard]] std::shared_ptr<const Program> program(const TraceEvent& call, u32 place, u32 root, u32 ranks);
  [[nodiscard]] std::shared_ptr<const Program> make(const CollectiveSpec& spec) const;
  [[nodiscard]] CollectiveSpec spec_of(const TraceEvent& call, u32 place, u32 root, u32 ranks) const;

  std::vector<Group> groups_;
  u32 tasks_;
  CollectiveRulesChoice choice_;
  std::map<Key, std::shared_ptr<const Program>> programs_;  ///< of calls whose parts do not differ
};

}  // namespace weft::workloads
