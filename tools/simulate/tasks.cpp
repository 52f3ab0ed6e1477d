// Applications from the config, and the reports about tasks.
#include "tools/simulate/tasks.hpp"

#include <fmt/format.h>
#include <span>

#include "engine/error.hpp"
#include "workloads/trace/trace_reader.hpp"

namespace weft::tools {
namespace {

workloads::Placement placement(const Context& context, u32 tasks) {
  const Config& config = context.config;
  if (config.text("placement.policy") == "file") {
    return workloads::from_file(config.resolve_path(config.text("placement.path")), tasks, context.topology->nodes());
  }
  return workloads::consecutive(tasks, context.topology->nodes());
}

}  // namespace

Application make_application(Context& context, const models::Layout& layout) {
  const Config& config = context.config;
  Application application;
  const workloads::TaskLimits limits = workloads::task_limits(task_spec(context));
  if (config.text("workload.kind") == "kernel") {
    const workloads::KernelSpec spec = kernel_spec(config, context.topology->nodes());
    if (spec.message_bytes > limits.message_bytes) {
      throw ConfigError("workload.message_bytes: " + workloads::too_many_packets(spec.message_bytes, limits));
    }
    application.program = workloads::make_kernel(spec);
    application.placement = placement(context, application.program->tasks());
    context.result.workload_name = "kernel " + application.program->name();
    context.inputs.check_unchanged();
    return application;
  }
  const std::string path = config.resolve_path(config.text("workload.path"));
  const std::string format = config.text("workload.trace_format");
  // Consecutive placement needs no task count to know which tasks are local; a file may, so that is read first.
  std::vector<bool> local;
  if (config.text("placement.policy") == "file") {
    application.placement = placement(context, workloads::count_trace_tasks(path, format));
    for (const NodeId node : application.placement.node_of_task) {
      local.push_back(layout.entity_of(node) != models::Layout::none);
    }
  } else {
    for (u32 node = 0; node < context.topology->nodes(); ++node) {
      local.push_back(layout.entity_of(NodeId(node)) != models::Layout::none);
    }
  }
  application.program = std::make_unique<workloads::TraceProgram>(
      path, format, [local = std::move(local)](u32 task) { return task < local.size() && local[task]; }, limits);
  if (application.placement.node_of_task.empty())
    application.placement = placement(context, application.program->tasks());
  context.result.workload_name = "trace " + config.text("workload.path");
  context.inputs.check_unchanged();
  return application;
}

workloads::TaskSpec task_spec(const Context& context) {
  const Config& config = context.config;
  workloads::TaskSpec spec;
  spec.causal = config.text("workload.mode") == "causal";
  spec.packet_bytes = context.router.packet_phits * static_cast<u32>(config.integer("packet.phit_bytes"));
  spec.seed = context.router.seed;
  const double scale = config.real("workload.cpu_scale");
  if (scale > 0) {
    if (context.time.cycle_ns <= 0) {
      throw ConfigError(
          fmt::format("workload.cpu_scale = {} needs the length of a cycle (compute times of traces are in ns); give "
                      "link.rate_gbps, "
                      "e.g. 10",
                      scale));
    }
    spec.ticks_per_ns = scale * static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns;
  }
  return spec;
}

void report_stuck_tasks(Context& context, const std::vector<workloads::StuckTask>& mine) {
  u64 count = mine.size();
  context.transport.sum({&count, 1});
  std::string detail;
  std::vector<workloads::StuckTask> all;
  for (const auto& rows : engine::gather_values<workloads::StuckTask>(context.transport, mine)) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (count == 0) return;
  std::ranges::sort(all, {}, &workloads::StuckTask::task);
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < std::min(all.size(), shown); ++i) {
    const workloads::StuckTask& t = all[i];
    detail += fmt::format("{}task {}, operation {}: waits for a message from task {} with tag {} of {} bytes",
                          i == 0 ? "" : "\n", t.task, t.operation, t.source, t.tag, t.bytes);
  }
  if (all.size() > shown) detail += fmt::format("\n... and {} more tasks", all.size() - shown);
  throw StuckError(
      fmt::format(
          "unmatched receive: {} tasks wait for messages that nobody sends (the network is empty); check the trace "
          "with 'weft trace check'",
          count),
      detail);
}

void collect_finish(Context& context, const std::vector<std::pair<u32, Tick>>& mine, u32 tasks) {
  const auto parts = engine::gather_values<std::pair<u32, Tick>>(context.transport, mine);
  if (context.transport.rank() != 0) return;
  context.result.task_finish_cycles.assign(tasks, 0);
  for (const auto& rows : parts) {
    for (const auto& [task, tick] : rows) context.result.task_finish_cycles[task] = context.cycles(tick);
  }
}

}  // namespace weft::tools
