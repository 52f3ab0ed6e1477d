// Tasks that live outside of the simulation and go on in slices of time: what they send in a slice is known before the
// network simulates it, and what comes to them is gathered for the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// A message that a task sends.
struct OutsideSend {
  u64 cycle = 0;  ///< from the begin of the run; not before the slices that are over
  u32 to = 0;     ///< task
  u64 bytes = 0;
};

/// A message that has come whole to a task.
struct OutsideArrival {
  Tick at = 0;
  u32 to = 0, from = 0;  ///< tasks
  u32 number = 0;        ///< among the messages of `from`, from 0
  u64 bytes = 0;
};

/// Its tasks send messages at the times that they are given; whatever comes to them, they take. Between slices the
/// tasks of this process are given what they do in the next.
class SlicedProgram final : public Program {
 public:
  explicit SlicedProgram(u32 tasks) : tasks_(tasks) {}

  [[nodiscard]] u32 tasks() const override { return static_cast<u32>(tasks_.size()); }
  [[nodiscard]] std::string name() const override { return "endpoints"; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override;
  [[nodiscard]] bool keeps_time() const override { return true; }
  [[nodiscard]] bool has_requests() const override { return true; }
  [[nodiscard]] bool listens() const override { return true; }
  [[nodiscard]] bool is_outside() const override { return true; }
  [[nodiscard]] std::vector<Activity> regions() const override { return {{"idle", true}, {"runs", false}}; }

  /// Tasks of this process.
  [[nodiscard]] const std::vector<u32>& open_tasks() const { return open_; }
  /// What a task does up to `until_cycle`: from `runs_cycle` on it runs, before that it was idle; sends ascend, none is
  /// before. `over`: after that it does nothing more.
  void give(u32 task, const std::vector<OutsideSend>& sends, u64 runs_cycle, u64 until_cycle, bool over);
  /// Arrivals since the last call, by time, then by sender and number.
  [[nodiscard]] std::vector<OutsideArrival> take_arrivals();

 private:
  class Stream;
  struct TaskState {
    std::vector<OutsideSend> sends;
    std::size_t next = 0;
    u64 runs_cycle = 0, until_cycle = 0;
    bool is_idle = false;  ///< it was, up to runs_cycle, which it has not waited for yet
    bool over = false;
  };
  mutable std::vector<TaskState> tasks_;
  mutable std::vector<u32> open_;
  mutable std::vector<OutsideArrival> arrivals_;
};

}  // namespace weft::workloads
