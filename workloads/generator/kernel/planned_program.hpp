// Turns a kernel that is written as a formula into a program: the operations are computed when they are pulled.
#pragma once

#include <utility>

#include "engine/base/error.hpp"
#include "workloads/generator/kernel/kernel.hpp"

namespace weft::workloads {

[[nodiscard]] inline Op send_op(u32 to, u64 bytes, u32 tag = 0) { return {OpKind::send, to, tag, bytes}; }
[[nodiscard]] inline Op receive_op(u32 from, u64 bytes, u32 tag = 0) { return {OpKind::receive, from, tag, bytes}; }
/// An empty slot if it takes no time.
[[nodiscard]] inline Op compute_op(u64 ns) { return ns == 0 ? Op{} : Op{OpKind::compute, 0, 0, ns}; }

/// A `Plan` is a small value with `u32 rounds()`, `u64 slots()` (per round; or `slots(task)`, where tasks differ much)
/// and `Op op(task, round, slot)`, where an op of kind `end` means an empty slot (a neighbour beyond the border, say).
/// Each stream keeps a copy of the plan and two counters, so that it holds no memory in proportion to its length and
/// does not depend on the life of the program.
template <class Plan>
class PlannedProgram final : public Program {
 public:
  PlannedProgram(std::string name, u32 tasks, Plan plan)
      : name_(std::move(name)), tasks_(tasks), plan_(std::move(plan)) {}
  u32 tasks() const override { return tasks_; }
  std::string name() const override { return name_; }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    WEFT_ASSERT(task.value() < tasks_);
    return std::make_unique<Stream>(plan_, task.value());
  }

 private:
  class Stream final : public TaskStream {
   public:
    Stream(const Plan& plan, u32 task) : plan_(plan), task_(task) {}
    Op next() override {
      for (; round_ < plan_.rounds(); ++round_, slot_ = 0) {
        while (slot_ < slots()) {
          const Op op = plan_.op(task_, round_, slot_++);
          if (op.kind != OpKind::end) return op;
        }
      }
      return {};
    }

   private:
    [[nodiscard]] u64 slots() const {
      if constexpr (requires { plan_.slots(task_); })
        return plan_.slots(task_);
      else
        return plan_.slots();
    }

    Plan plan_;
    u32 task_;
    u32 round_ = 0;
    u64 slot_ = 0;
  };

  std::string name_;
  u32 tasks_;
  Plan plan_;
};

/// Makes the program of a plan, its type deduced.
template <class Plan>
[[nodiscard]] std::unique_ptr<Program> planned_program(std::string name, u32 tasks, Plan plan) {
  return std::make_unique<PlannedProgram<Plan>>(std::move(name), tasks, std::move(plan));
}

/// log2 of the task count. Throws ConfigError with the nearest valid counts unless it is a power of two.
[[nodiscard]] u32 task_levels(const KernelSpec& spec);

}  // namespace weft::workloads
