// Programs of communicators, and how all tasks are split into some.
#include "workloads/generator/collective/communicator.hpp"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace weft::workloads {
namespace {

class CommunicatorStream final : public TaskStream {
 public:
  CommunicatorStream(std::unique_ptr<TaskStream> of_rank, const Communicator& communicator, u32 first_tag)
      : of_rank_(std::move(of_rank)), communicator_(communicator), first_tag_(first_tag) {}
  Op next() override {
    Op op = of_rank_->next();
    if (op.kind == OpKind::send || op.kind == OpKind::receive) {
      op.peer = communicator_.task(op.peer);
      op.tag += first_tag_;
    }
    return op;
  }
  void add_regions(std::vector<u32>& inside) const override { of_rank_->add_regions(inside); }

 private:
  std::unique_ptr<TaskStream> of_rank_;
  Communicator communicator_;
  u32 first_tag_;
};

class SplitProgram final : public Program {
 public:
  SplitProgram(std::unique_ptr<const Program> program, const CommunicatorSplit& split)
      : program_(std::move(program)), split_(split) {}
  u32 tasks() const override { return split_.tasks; }
  std::string name() const override {
    return fmt::format("{} in each of {} communicators", program_->name(), split_.tasks / split_.size);
  }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    return open_on_communicator(*program_, split_.of(task.value()), task);
  }
  std::vector<Activity> regions() const override { return program_->regions(); }
  u64 bytes() const override { return program_->bytes(); }

 private:
  std::unique_ptr<const Program> program_;
  CommunicatorSplit split_;
};

/// "4 or 8": the divisors of `whole` next below and above `wanted`.
std::string nearest_divisors(u32 whole, u32 wanted) {
  u32 below = 0, above = 0;
  for (u32 one = 1; one <= whole / one; ++one) {
    if (whole % one != 0) continue;
    for (const u32 divisor : {one, whole / one}) {
      if (divisor <= wanted && divisor > below) below = divisor;
      if (divisor > wanted && (above == 0 || divisor < above)) above = divisor;
    }
  }
  if (below == 0) return std::to_string(above);
  return above == 0 ? std::to_string(below) : fmt::format("{} or {}", below, above);
}

}  // namespace

std::unique_ptr<TaskStream> on_communicator(std::unique_ptr<TaskStream> of_rank, const Communicator& communicator,
                                            u32 first_tag) {
  if (communicator == Communicator{0, 1, communicator.size} && first_tag == 0) return of_rank;
  return std::make_unique<CommunicatorStream>(std::move(of_rank), communicator, first_tag);
}

std::unique_ptr<TaskStream> open_on_communicator(const Program& program, const Communicator& communicator, TaskId task,
                                                 u32 first_tag) {
  WEFT_ASSERT(program.tasks() == communicator.size);
  return on_communicator(program.open(TaskId(communicator.rank(task.value()))), communicator, first_tag);
}

CommunicatorSplit communicator_split(u32 tasks, u32 size, u32 stride) {
  WEFT_ASSERT(tasks > 0 && size > 0 && stride > 0);
  if (tasks % stride != 0) {
    throw ConfigError(
        fmt::format("workload.group_stride = {} does not fit {} tasks (they are cut into blocks of "
                    "group_tasks x group_stride tasks); use group_stride = {}",
                    stride, tasks, nearest_divisors(tasks, stride)));
  }
  if (tasks / stride % size != 0) {
    throw ConfigError(
        fmt::format("workload.group_tasks = {} does not fit {} tasks{} (all groups must have as many tasks); use "
                    "group_tasks = {}",
                    size, tasks, stride > 1 ? fmt::format(" with group_stride = {}", stride) : "",
                    nearest_divisors(tasks / stride, size)));
  }
  return {tasks, size, stride};
}

std::unique_ptr<Program> in_communicators(std::unique_ptr<const Program> program, const CommunicatorSplit& split) {
  WEFT_ASSERT(program->tasks() == split.size);
  return std::make_unique<SplitProgram>(std::move(program), split);
}

}  // namespace weft::workloads
