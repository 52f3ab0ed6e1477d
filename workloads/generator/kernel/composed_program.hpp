// Programs of kernels that have collective operations of all tasks in between: a plan, and programs that it calls.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {

/// The op by which a plan (planned_program.hpp) calls all operations of the collective number `index`.
[[nodiscard]] inline Op collective_op(u32 index = 0) { return {OpKind::end, index + 1, 0, 0}; }

/// Each stream keeps a copy of the plan, two counters, and the stream of the collective that it is in.
template <class Plan>
class ComposedProgram final : public Program {
 public:
  using Collectives = std::vector<std::unique_ptr<Program>>;
  ComposedProgram(std::string name, u32 tasks, Plan plan, Collectives collectives)
      : name_(std::move(name)),
        tasks_(tasks),
        plan_(std::move(plan)),
        collectives_(std::make_shared<const Collectives>(std::move(collectives))) {}
  u32 tasks() const override { return tasks_; }
  std::string name() const override { return name_; }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    WEFT_ASSERT(task.value() < tasks_);
    return std::make_unique<Stream>(plan_, task.value(), collectives_);
  }
  std::vector<Activity> regions() const override {
    std::vector<Activity> calls;
    for (const auto& collective : *collectives_) calls.push_back({collective->name(), true});
    return calls;
  }

 private:
  class Stream final : public TaskStream {
   public:
    Stream(const Plan& plan, u32 task, std::shared_ptr<const Collectives> collectives)
        : plan_(plan), task_(task), collectives_(std::move(collectives)) {}
    Op next() override {
      for (;;) {
        if (inner_) {
          Op op = inner_->next();
          op.tag += op.kind == OpKind::compute ? 0 : inner_tags;
          if (op.kind != OpKind::end) return op;
          inner_.reset();
        }
        for (; slot_ == plan_.slots(); ++round_) slot_ = 0;
        if (round_ >= plan_.rounds()) return {};
        const Op op = plan_.op(task_, round_, slot_++);
        if (op.kind != OpKind::end) return op;
        if (op.peer == 0) continue;
        collective_ = op.peer - 1;
        inner_ = collectives_->at(collective_)->open(TaskId(task_));
      }
    }
    void add_regions(std::vector<u32>& inside) const override {
      if (inner_) inside.push_back(collective_);
    }

   private:
    static constexpr u32 inner_tags = u32{1} << 20;  ///< tags of collectives begin there
    Plan plan_;
    u32 task_;
    std::shared_ptr<const Collectives> collectives_;
    std::unique_ptr<TaskStream> inner_;
    u32 collective_ = 0;  ///< of inner_
    u32 round_ = 0;
    u64 slot_ = 0;
  };

  std::string name_;
  u32 tasks_;
  Plan plan_;
  std::shared_ptr<const Collectives> collectives_;
};

/// The program of a plan that reduces `workload.reduction_bytes` over all tasks where it says collective_op(), by
/// `workload.reduction`. Throws ConfigError as make_collective does, in the words of those keys.
template <class Plan>
[[nodiscard]] std::unique_ptr<Program> reducing_program(std::string name, const KernelSpec& spec, Plan plan) {
  typename ComposedProgram<Plan>::Collectives collectives;
  collectives.push_back(reduction_of_all(spec));
  return std::make_unique<ComposedProgram<Plan>>(std::move(name), spec.tasks, std::move(plan), std::move(collectives));
}

}  // namespace weft::workloads
