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
  /// What a task of this process is in: a number from 1, and what that stands for.
  using CallOf = std::function<u64(u32 task)>;
  using NameOf = std::function<std::string(u64 call)>;
  /// `open` is called once for each task that is simulated in this process.
  ProcessProgram(std::string name, u32 tasks, Opener open, CallOf call_of, NameOf name_of)
      : name_(std::move(name)),
        tasks_(tasks),
        open_(std::move(open)),
        call_of_(std::move(call_of)),
        name_of_(std::move(name_of)) {}

  [[nodiscard]] u32 tasks() const override { return tasks_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override { return open_(task.value()); }
  [[nodiscard]] bool has_requests() const override { return true; }
  [[nodiscard]] bool listens() const override { return true; }
  [[nodiscard]] bool matches_in_order() const override { return true; }
  [[nodiscard]] u64 record_of(TaskId task, u64 /*operation*/) const override { return call_of_(task.value()); }
  [[nodiscard]] std::vector<std::string> places_of(const std::vector<std::pair<u32, u64>>& records) const override {
    std::vector<std::string> names;
    for (const auto& [task, call] : records) names.push_back(name_of_(call));
    return names;
  }

 private:
  std::string name_;
  u32 tasks_;
  Opener open_;
  CallOf call_of_;
  NameOf name_of_;
};

}  // namespace weft::workloads
