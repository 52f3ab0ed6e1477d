// A program of graphs that was read from a file.
#pragma once

#include <string>

#include "workloads/program/graph_reader.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

/// Reads the whole file when it is made. Its graphs are counted down as they are run, so that it is run once.
class GraphProgram final : public Program {
 public:
  /// `name` stands for the file's. Throws InputError (what the reader throws; a cycle; an operation beyond `limits`),
  /// SystemError (disk).
  GraphProgram(GraphReader& reader, std::string name, const TaskLimits& limits = {},
               u64 memory_bytes = GraphStore::default_memory_bytes);

  [[nodiscard]] u32 tasks() const override { return tasks_; }
  /// Not to be called: graphs are no streams.
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override;
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool has_graphs() const override { return true; }
  /// Empty if the task is not kept.
  [[nodiscard]] TaskGraph graph(TaskId task) const override { return store_.graph(task.value()); }
  [[nodiscard]] u64 bytes() const override { return store_.bytes(); }
  [[nodiscard]] bool waits_for_times() const override { return waits_for_times_; }
  [[nodiscard]] bool takes_any() const override { return takes_any_; }

 private:
  std::string name_;
  u32 tasks_;
  bool waits_for_times_ = false, takes_any_ = false;
  GraphStore store_;
};

}  // namespace weft::workloads
