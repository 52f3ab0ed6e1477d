// Programs of lanes that are written as coroutines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/program/op_generator.hpp"

namespace weft::workloads {

/// What a generator program is; `open` makes the operations of a lane of a task.
struct LanePlan {
  std::string name;
  u32 tasks = 0, lanes = 1;
  std::vector<Activity> activities = {};
  std::function<OpGenerator(u32 task, u32 lane)> open;
  std::vector<SwitchGroup> switch_groups = {};
  u64 switch_latency_ns = 0;
  bool waits_for_times = false;
  std::function<std::vector<double>()> least_waits_ns = {};  ///< none: they are not known
};

class GeneratorProgram final : public Program {
 public:
  explicit GeneratorProgram(LanePlan plan) : plan_(std::move(plan)) {
    WEFT_ASSERT(plan_.lanes >= 1 && plan_.lanes <= most_lanes && plan_.activities.size() <= most_activities);
  }
  [[nodiscard]] u32 tasks() const override { return plan_.tasks; }
  [[nodiscard]] std::string name() const override { return plan_.name; }
  [[nodiscard]] u32 lanes() const override { return plan_.lanes; }
  [[nodiscard]] std::vector<Activity> activities() const override { return plan_.activities; }
  [[nodiscard]] std::vector<double> least_waits_ns() const override {
    return plan_.least_waits_ns ? plan_.least_waits_ns() : std::vector<double>{};
  }
  [[nodiscard]] bool waits_for_times() const override { return plan_.waits_for_times; }
  [[nodiscard]] u32 switch_groups() const override { return static_cast<u32>(plan_.switch_groups.size()); }
  [[nodiscard]] SwitchGroup switch_group(u32 group) const override { return plan_.switch_groups.at(group); }
  [[nodiscard]] u64 switch_latency_ns() const override { return plan_.switch_latency_ns; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override { return open_lane(task, 0); }
  [[nodiscard]] std::unique_ptr<TaskStream> open_lane(TaskId task, u32 lane) const override {
    WEFT_ASSERT(task.value() < plan_.tasks && lane < plan_.lanes);
    return stream_of(plan_.open(task.value(), lane));
  }

 private:
  LanePlan plan_;
};

}  // namespace weft::workloads
