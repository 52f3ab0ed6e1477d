// A trace file as an application: every task replays its records.
#pragma once

#include <memory>
#include <string>

#include "workloads/program/program.hpp"
#include "workloads/task_limits.hpp"
#include "workloads/trace/trace_reader.hpp"
#include "workloads/trace/trace_spool.hpp"

namespace weft::workloads {

/// Reads the whole file once when it is made; streams then need a small buffer each. Only kept tasks may be opened, so
/// that each process of a parallel run stores no more than its own tasks. `compute` amounts are nanoseconds.
class TraceProgram final : public Program {
 public:
  /// `format`: "auto" (by content) or a registered name of a format of records. Throws InputError (file:line; also for
  /// an operation beyond `limits`, whoever keeps its task), ConfigError (format), SystemError (disk).
  explicit TraceProgram(const std::string& path, const std::string& format = "auto", KeepTask keep = {},
                        const TaskLimits& limits = {});
  /// From an open reader; `name` stands for the file's.
  TraceProgram(std::unique_ptr<TraceReader> reader, std::string name, KeepTask keep = {}, SpoolLimits spooling = {},
               const TaskLimits& limits = {});

  /// 1 + the largest rank that the file names, kept or not.
  [[nodiscard]] u32 tasks() const override { return tasks_; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override;
  [[nodiscard]] std::string name() const override { return name_; }

  /// Operations of all tasks, kept or not, without the dropped ones.
  [[nodiscard]] u64 records() const { return spool_->records(); }
  /// Dropped: messages from a task to itself.
  [[nodiscard]] u64 self_sends() const { return self_sends_; }
  [[nodiscard]] u64 self_receives() const { return self_receives_; }
  [[nodiscard]] const TraceSpool& spool() const { return *spool_; }

 private:
  void load(TraceReader& reader, KeepTask keep, SpoolLimits spooling, const TaskLimits& limits);

  std::string name_;
  std::shared_ptr<const TraceSpool> spool_;
  u32 tasks_ = 0;
  u64 self_sends_ = 0;
  u64 self_receives_ = 0;
};

/// Opens a trace of any format as an application of which only the tasks to keep can be run: records or graphs
/// (Program::has_graphs). `format`: "auto" (by content) or a registered name. Throws InputError (file:line),
/// ConfigError (format), SystemError (disk).
[[nodiscard]] std::unique_ptr<Program> open_program(const std::string& path, const std::string& format = "auto",
                                                    KeepTask keep = {}, const TaskLimits& limits = {});
/// The same of bytes whose format is known; `name` stands for the file's.
[[nodiscard]] std::unique_ptr<Program> open_program(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                                    const std::string& format, KeepTask keep, const TaskLimits& limits);

/// The number of tasks of a trace of any format: one pass that keeps nothing.
[[nodiscard]] u32 count_trace_tasks(const std::string& path, const std::string& format = "auto");

}  // namespace weft::workloads
