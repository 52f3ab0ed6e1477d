// A trace as an application: every task replays its events.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"
#include "workloads/trace/replay/event_ops.hpp"
#include "workloads/trace/store/trace_store.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// How a trace becomes a program.
struct ReplayChoice {
  StoreChoice store = {};
  CollectiveRulesChoice collectives = {};
  ReplayRules rules = {};
  std::optional<bool> sends_wait = {};  ///< ReplayRules::sends_wait; not given: where the format tells blocking sends
  std::string counter = {};        ///< name of the counter by which tasks compute; empty: by the times of the trace
  double counter_per_second = 0;   ///< how often it counts
  bool refuses_one_sided = false;  ///< MPI_Put, MPI_Get...: ReplayRules::refused
  TaskLimits limits = {};
};

/// The replay of a store (workloads/trace/replay/event_ops.hpp). Only tasks that the store holds may be opened.
class TraceProgram final : public Program {
 public:
  /// `name` stands for the file's. `streams`: about how many tasks of it this process runs; 0: all.
  TraceProgram(std::shared_ptr<const TraceStore> store, std::string name, CollectiveRulesChoice collectives = {},
               ReplayRules rules = {}, u64 streams = 0);

  [[nodiscard]] u32 tasks() const override { return store_->index().tasks; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override;
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool matches_in_order() const override { return store_->index().in_order; }
  [[nodiscard]] bool keeps_time() const override { return rules_->cycles_per_ns > 0; }
  /// The names of the trace, then the collective operations.
  [[nodiscard]] std::vector<Activity> regions() const override;
  [[nodiscard]] bool has_requests() const override {
    return rules_->requests && (store_->index().requests > 0 || meets());  // collective calls may be started too
  }
  [[nodiscard]] bool meets() const override { return collectives_->costs() != nullptr; }
  [[nodiscard]] u32 meeting_tasks(u32 communicator) const override { return collectives_->ranks(communicator); }
  [[nodiscard]] u64 least_meeting_ps() const override { return collectives_->costs()->least_ps(); }
  [[nodiscard]] RecordCount records() const override { return {*taken_, store_->index().events}; }
  [[nodiscard]] u64 record_of(TaskId task, u64 operation) const override;
  [[nodiscard]] std::vector<std::string> places_of(const std::vector<std::pair<u32, u64>>& records) const override;
  /// What the store was made from, so that places_of can look there.
  void set_input(const TraceInput& input) { input_ = input; }
  /// The events themselves.
  [[nodiscard]] std::unique_ptr<EventStream> events(u32 task) const { return TraceStore::events(store_, task); }
  [[nodiscard]] const TraceStore& store() const { return *store_; }

 private:
  std::shared_ptr<const TraceStore> store_;
  std::string name_;
  u64 streams_;
  std::shared_ptr<const ReplayRules> rules_;
  std::shared_ptr<CollectiveCalls> collectives_;
  std::shared_ptr<u64> taken_ = std::make_shared<u64>(0);  ///< events, by all streams
  TraceInput input_;                                       ///< no files: not known
};

/// Opens a trace of any format as an application: of events or of graphs (Program::has_graphs), of which only the tasks
/// to keep (ReplayChoice::store) can be run. Throws InputError (file:line; also for an operation beyond the limits),
/// ConfigError (format), SystemError (disk).
[[nodiscard]] std::unique_ptr<Program> open_program(const TraceInput& input, const ReplayChoice& choice = {});
[[nodiscard]] std::unique_ptr<Program> open_program(const std::string& path, const ReplayChoice& choice = {});

/// The number of tasks of a trace of any format.
[[nodiscard]] u32 count_trace_tasks(const std::string& path, const StoreChoice& choice = {});

}  // namespace weft::workloads
