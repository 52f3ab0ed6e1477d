// Operations as they are, but for the times of computations; see the header.
#include "workloads/trace/scaled_program.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

u64 scaled_ns(u64 ns, double scale) {
  const double result = static_cast<double>(ns) * scale;
  if (result <= static_cast<double>(max_trace_compute_ns)) return static_cast<u64>(result);
  throw ConfigError(
      fmt::format("workload.cpu_scale = {} makes a computation of {} ns longer than a trace holds (2^60 ns); give less",
                  scale, ns));
}

class ScaledStream final : public TaskStream {
 public:
  ScaledStream(std::unique_ptr<TaskStream> stream, double scale) : stream_(std::move(stream)), scale_(scale) {}
  Op next() override {
    Op op = stream_->next();
    if (op.kind == OpKind::compute) op.amount = scaled_ns(op.amount, scale_);
    return op;
  }

 private:
  std::unique_ptr<TaskStream> stream_;
  double scale_;
};

class ScaledProgram final : public Program {
 public:
  ScaledProgram(std::unique_ptr<Program> program, double scale) : program_(std::move(program)), scale_(scale) {}
  [[nodiscard]] u32 tasks() const override { return program_->tasks(); }
  [[nodiscard]] std::string name() const override { return program_->name(); }
  [[nodiscard]] u32 lanes() const override { return program_->lanes(); }
  [[nodiscard]] bool has_graphs() const override { return program_->has_graphs(); }
  [[nodiscard]] bool has_requests() const override { return program_->has_requests(); }
  [[nodiscard]] bool keeps_time() const override { return program_->keeps_time(); }
  [[nodiscard]] bool matches_in_order() const override { return program_->matches_in_order(); }
  [[nodiscard]] bool takes_any() const override { return program_->takes_any(); }
  [[nodiscard]] bool meets() const override { return program_->meets(); }
  [[nodiscard]] u32 meeting_tasks(u32 communicator) const override { return program_->meeting_tasks(communicator); }
  [[nodiscard]] u64 least_meeting_ps() const override { return program_->least_meeting_ps(); }
  [[nodiscard]] u32 switch_groups() const override { return program_->switch_groups(); }
  [[nodiscard]] SwitchGroup switch_group(u32 group) const override { return program_->switch_group(group); }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override {
    return std::make_unique<ScaledStream>(program_->open(task), scale_);
  }
  [[nodiscard]] std::unique_ptr<TaskStream> open_lane(TaskId task, u32 lane) const override {
    return std::make_unique<ScaledStream>(program_->open_lane(task, lane), scale_);
  }
  [[nodiscard]] TaskGraph graph(TaskId task) const override {
    TaskGraph graph = program_->graph(task);
    ops_.assign(graph.ops.begin(), graph.ops.end());
    for (GraphOp& op : ops_) {
      if (op.kind == GraphOp::Kind::compute) op.amount = scaled_ns(op.amount, scale_);
    }
    graph.ops = ops_;
    return graph;
  }

 private:
  std::unique_ptr<Program> program_;
  double scale_;
  mutable std::vector<GraphOp> ops_;  ///< of the graph that was asked for last
};

}  // namespace

std::unique_ptr<Program> scaled_program(std::unique_ptr<Program> program, double scale) {
  return std::make_unique<ScaledProgram>(std::move(program), scale);
}

}  // namespace weft::workloads
