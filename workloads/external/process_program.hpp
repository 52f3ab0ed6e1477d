// A program whose tasks are processes outside of the simulator.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/program/program.hpp"

namespace weft::workloads {

class ProcessProgram final : public Program {
 public:
  using Opener = std::function<std::unique_ptr<TaskStream>(u32 task)>;
  /// `open` is called once for each task that is simulated in this process.
  ProcessProgram(std::string name, u32 tasks, Opener open)
      : name_(std::move(name)), tasks_(tasks), open_(std::move(open)) {}

  [[nodiscard]] u32 tasks() const override { return tasks_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override { return open_(task.value()); }
  [[nodiscard]] bool has_requests() const override { return true; }
  [[nodiscard]] bool listens() const override { return true; }
  [[nodiscard]] bool matches_in_order() const override { return true; }

 private:
  std::string name_;
  u32 tasks_;
  Opener open_;
};

}  // namespace weft::workloads
