// Streams of flows, drawn or listed.
#include "workloads/program/flow_program.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/random.hpp"

namespace weft::workloads {
namespace {

/// Waits for the start of each flow, and sends it.
class OperationsOfFlows final : public TaskStream {
 public:
  OperationsOfFlows(std::unique_ptr<FlowStream> flows, FlowOrder order)
      : flows_(std::move(flows)), send_(order == FlowOrder::fair ? OpKind::isend : OpKind::send) {}
  Op next() override {
    if (waited_) {
      waited_ = false;
      return {send_, flow_.to, 0, flow_.bytes};
    }
    if (!flows_->next(flow_)) return {};
    waited_ = true;
    return {OpKind::until, 0, 0, flow_.start_cycle};
  }

 private:
  std::unique_ptr<FlowStream> flows_;
  OpKind send_;
  Flow flow_;
  bool waited_ = false;
};

class RandomFlows final : public FlowProgram {
 public:
  RandomFlows(const RandomFlowSpec& spec, FlowSizes sizes, std::string name, std::unique_ptr<Pattern> pattern)
      : FlowProgram(spec.order),
        spec_(spec),
        sizes_(std::move(sizes)),
        name_(std::move(name)),
        pattern_(std::move(pattern)) {
    for (u32 task = 0; task < spec_.tasks; ++task) {
      place_.push_back(senders_);
      if (pattern_->sends(NodeId(task))) ++senders_;
    }
    if (senders_ == spec_.tasks) place_ = {};
    if (senders_ == 0) {
      throw ConfigError(
          fmt::format("no flows start ({}: none of {} tasks sends); use another workload.pattern", name_, spec_.tasks));
    }
  }
  [[nodiscard]] u32 tasks() const override { return spec_.tasks; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<FlowStream> flows(TaskId task) const override {
    return std::make_unique<Stream>(*this, task.value());
  }

 private:
  class Stream final : public FlowStream {
   public:
    Stream(const RandomFlows& program, u32 task) : program_(program), task_(task) {
      const RandomFlowSpec& spec = program.spec_;
      if (!program.pattern_->sends(NodeId(task)))
        left_ = 0;
      else if (spec.flows != 0)
        left_ = spec.flows / program.senders_ + (program.place_of(task) < spec.flows % program.senders_ ? 1 : 0);
    }
    bool next(Flow& flow) override {
      if (left_ == 0) return false;
      --left_;
      const u64 bits = engine::random_bits(program_.spec_.seed, task_, count_, engine::Use::source_gap);
      at_ -= std::log(engine::to_unit(bits)) * program_.spec_.mean_cycles;
      constexpr double most = 4e18;
      flow.start_cycle = static_cast<u64>(std::min(at_, most));
      if (flow.start_cycle >= program_.spec_.last_cycle) {
        left_ = 0;
        return false;
      }
      const u64 own = engine::random_bits(program_.spec_.seed, task_, count_, engine::Use::source_destination);
      flow.bytes = program_.sizes_.draw(engine::remix(own, draw_of_size));
      flow.to = program_.pattern_->destination(NodeId(task_), {own, count_, 0}).value();
      ++count_;
      return true;
    }

   private:
    static constexpr u64 draw_of_size = 0x512e;
    const RandomFlows& program_;
    u32 task_;
    u64 left_ = ~u64{0}, count_ = 0;
    double at_ = 0;
  };

  [[nodiscard]] u32 place_of(u32 task) const { return place_.empty() ? task : place_[task]; }

  RandomFlowSpec spec_;
  u32 senders_ = 0;
  std::vector<u32> place_;  ///< [task] among those that send; empty if all do
  FlowSizes sizes_;
  std::string name_;
  std::unique_ptr<Pattern> pattern_;
};

class ListedFlows final : public FlowProgram {
 public:
  ListedFlows(u32 tasks, const std::vector<ListedFlow>& flows, double cycles_per_ns, std::string name, FlowOrder order)
      : FlowProgram(order), flows_(tasks), name_(std::move(name)) {
    for (const ListedFlow& flow : flows)
      flows_[flow.from].push_back(
          {static_cast<u64>(std::min(flow.start_ns * cycles_per_ns, 4e18)), flow.to, flow.bytes});
  }
  [[nodiscard]] u32 tasks() const override { return static_cast<u32>(flows_.size()); }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<FlowStream> flows(TaskId task) const override {
    return std::make_unique<Stream>(flows_[task.value()]);
  }

 private:
  class Stream final : public FlowStream {
   public:
    explicit Stream(const std::vector<Flow>& flows) : flows_(flows) {}
    bool next(Flow& flow) override {
      if (at_ == flows_.size()) return false;
      flow = flows_[at_++];
      return true;
    }

   private:
    const std::vector<Flow>& flows_;
    std::size_t at_ = 0;
  };

  std::vector<std::vector<Flow>> flows_;  ///< [task]
  std::string name_;
};

}  // namespace

std::unique_ptr<TaskStream> FlowProgram::open(TaskId task) const {
  return std::make_unique<OperationsOfFlows>(flows(task), order_);
}

std::unique_ptr<FlowProgram> make_random_flows(const RandomFlowSpec& spec, FlowSizes sizes, std::string name,
                                               std::unique_ptr<Pattern> pattern) {
  return std::make_unique<RandomFlows>(spec, std::move(sizes), std::move(name), std::move(pattern));
}

std::unique_ptr<FlowProgram> make_listed_flows(u32 tasks, const std::vector<ListedFlow>& flows, double cycles_per_ns,
                                               std::string name, FlowOrder order) {
  return std::make_unique<ListedFlows>(tasks, flows, cycles_per_ns, std::move(name), order);
}

}  // namespace weft::workloads
