// Streams of tasks that go on in slices; see the header.
#include "workloads/program/external/sliced_program.hpp"

#include <algorithm>
#include <tuple>

#include "engine/base/error.hpp"
#include "workloads/program/message.hpp"

namespace weft::workloads {

/// Waits for the time of the next message, sends it, and at last waits for the end of the slice.
class SlicedProgram::Stream final : public TaskStream {
 public:
  Stream(const SlicedProgram& program, u32 task) : program_(program), task_(task) {}

  Op next() override {
    TaskState& state = program_.tasks_[task_];
    if (!sent_.empty()) {  // so that the host forgets it
      const u32 request = sent_.back();
      sent_.pop_back();
      return {OpKind::await, 0, 0, request};
    }
    if (state.is_idle) {
      state.is_idle = runs_ = false;
      return {OpKind::compute, 0, 0, state.runs_cycle};
    }
    runs_ = true;
    if (state.next < state.sends.size()) {
      const OutsideSend& send = state.sends[state.next];
      waited_ = !waited_;
      if (waited_) return {OpKind::compute, 0, 0, send.cycle};
      ++state.next;
      return {OpKind::isend, send.to, 0, send.bytes};
    }
    if (state.over) return {};
    // There is a next slice before its first tick: ExternalTasks::exchange has given it.
    WEFT_ASSERT(state.until_cycle != asked_);
    asked_ = state.until_cycle;
    runs_ = state.runs_cycle < state.until_cycle;
    return {OpKind::compute, 0, 0, state.until_cycle};
  }
  void add_regions(std::vector<u32>& inside) const override { inside.push_back(runs_ ? 1 : 0); }
  bool takes(const Message& message, Tick tick) override {
    program_.arrivals_.push_back({tick, task_, message.source, message.number, message.bytes});
    return true;
  }
  void complete(u32 operation, Tick /*tick*/) override { sent_.push_back(operation); }

 private:
  const SlicedProgram& program_;
  u32 task_;
  std::vector<u32> sent_;  ///< sends that are complete
  bool waited_ = false;
  bool runs_ = false;  ///< the endpoint, in the operation at hand; else it is idle
  u64 asked_ = ~u64{0};
};

std::unique_ptr<TaskStream> SlicedProgram::open(TaskId task) const {
  open_.push_back(task.value());
  return std::make_unique<Stream>(*this, task.value());
}

void SlicedProgram::give(u32 task, const std::vector<OutsideSend>& sends, u64 runs_cycle, u64 until_cycle, bool over) {
  TaskState& state = tasks_[task];
  state.sends.erase(state.sends.begin(), state.sends.begin() + static_cast<std::ptrdiff_t>(state.next));
  state.sends.insert(state.sends.end(), sends.begin(), sends.end());
  state.next = 0;
  state.is_idle = runs_cycle > state.until_cycle && runs_cycle < until_cycle;
  state.runs_cycle = runs_cycle;
  state.until_cycle = until_cycle;
  state.over = over;
}

std::vector<OutsideArrival> SlicedProgram::take_arrivals() {
  std::vector<OutsideArrival> taken = std::move(arrivals_);
  arrivals_.clear();
  std::ranges::sort(taken, {}, [](const OutsideArrival& a) { return std::tuple(a.at, a.to, a.from, a.number); });
  return taken;
}

}  // namespace weft::workloads
