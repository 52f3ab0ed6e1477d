// Applications from the config, and the reports about tasks.
#include "tools/simulate/tasks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <span>

#include "engine/error.hpp"
#include "engine/meaning.hpp"
#include "tools/config/application.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "tools/simulate/run_loop.hpp"
#include "tools/simulate/split.hpp"
#include "tools/stats/deviation.hpp"
#include "workloads/task_host.hpp"
#include "workloads/trace/trace_program.hpp"
#include "workloads/trace/trace_reader.hpp"

namespace weft::tools {
namespace {

/// The application of [workload], a trace (only the tasks placed on this process are kept), a kernel, a collective
/// operation or an exchange; and its placement.
struct Application {
  std::unique_ptr<workloads::Program> program;
  workloads::Placement placement;
  const workloads::ExchangeProgram* exchange = nullptr;  ///< what the program is, if it is one
};

workloads::Placement placement(const Context& context, u32 tasks) {
  const Config& config = context.config;
  const u32 per_node = tasks_per_node(config);
  if (config.text("placement.policy") == "file") {
    return workloads::from_file(config.resolve_path(config.text("placement.path")), tasks, context.topology->nodes(),
                                per_node);
  }
  return workloads::in_order(fill_order(context), tasks, per_node);
}

/// Throws ConfigError if a task is to run on a node that has failed.
void check_nodes_work(const Context& context, const workloads::Placement& placement) {
  for (u32 task = 0; task < placement.node_of_task.size(); ++task) {
    const NodeId node = placement.node_of_task[task];
    if (context.topology->works(node)) continue;
    throw ConfigError(
        fmt::format("task {} is placed on node {}, which has failed ([faults]); place it elsewhere, with "
                    "placement.policy = \"file\"",
                    task, node.value()));
  }
}

workloads::TaskSpec task_spec(const Context& context) {
  const Config& config = context.config;
  workloads::TaskSpec spec;
  spec.causal = means(config.text("workload.mode"), "causal", "at-will");
  spec.phit_bytes = static_cast<u32>(config.integer("packet.phit_bytes"));
  spec.header_phits = static_cast<u32>(config.integer("packet.header_phits"));
  spec.packet_bytes = (context.router.packet_phits - spec.header_phits) * spec.phit_bytes;
  spec.seed = context.router.seed;
  spec.local_latency_cycles = static_cast<u64>(config.integer("workload.local_latency_cycles"));
  spec.turnaround_cycles = static_cast<u64>(config.integer("workload.turnaround_cycles"));
  spec.send_gap_cycles = static_cast<u64>(config.integer("workload.send_gap_cycles"));
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

Application make_application(Context& context, const models::Layout& layout) {
  const Config& config = context.config;
  Application application;
  const workloads::TaskLimits limits = workloads::task_limits(task_spec(context));
  if (runs_generated_tasks(config)) {
    application.program = generated_program(config, *context.topology, limits);
    application.exchange = dynamic_cast<const workloads::ExchangeProgram*>(application.program.get());
    application.placement = placement(context, application.program->tasks());
    check_nodes_work(context, application.placement);
    context.result.workload_name = fmt::format("{} {}", config.text("workload.kind"), application.program->name());
    context.inputs.check_unchanged();
    return application;
  }
  const std::string path = config.resolve_path(config.text("workload.path"));
  const std::string format = config.text("workload.trace_format");
  // Consecutive placement needs no task count to know which tasks are local; others may, so that is read first.
  std::vector<bool> local;  // by task, or by node
  u32 each = 1;
  if (config.text("placement.policy") != "consecutive") {
    application.placement = placement(context, workloads::count_trace_tasks(path, format));
    for (const NodeId node : application.placement.node_of_task) {
      local.push_back(layout.entity_of(node) != models::Layout::none);
    }
  } else {
    each = tasks_per_node(config);
    for (u32 node = 0; node < context.topology->nodes(); ++node) {
      local.push_back(layout.entity_of(NodeId(node)) != models::Layout::none);
    }
  }
  application.program = workloads::open_program(
      path, format,
      [local = std::move(local), each](u32 task) { return task / each < local.size() && local[task / each]; }, limits);
  if (application.program->has_graphs()) {
    throw ConfigError(
        fmt::format("workload.path = \"{}\" is a program of graphs (operations that require each other), which this "
                    "version reads but does not run; give a trace of records (.trc)",
                    config.text("workload.path")));
  }
  if (application.placement.node_of_task.empty())
    application.placement = placement(context, application.program->tasks());
  check_nodes_work(context, application.placement);
  context.result.workload_name = "trace " + config.text("workload.path");
  context.inputs.check_unchanged();
  return application;
}

/// Throws StuckError naming the waiting tasks if any rank has some. `drops`: what is to be said of dropped packets, if
/// any were.
void report_stuck_tasks(Context& context, const std::vector<workloads::StuckTask>& mine, const std::string& drops) {
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
  if (!drops.empty()) {
    throw StuckError(
        fmt::format(
            "{} tasks wait for messages of which packets were lost ({}); choose faults that leave the tasks a way to "
            "each other, or another router or placement",
            count, drops),
        detail);
  }
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

/// What the tasks of an exchange got, from when they finished; on the first process.
void collect_exchange(Context& context, const workloads::ExchangeProgram& exchange) {
  if (context.transport.rank() != 0) return;
  std::vector<double> got;
  for (u32 task = 0; task < exchange.tasks(); ++task) {
    const double bytes = static_cast<double>(exchange.received_bytes(TaskId(task)));
    if (bytes > 0) got.push_back(bytes / context.result.task_finish_cycles[task]);
  }
  ExchangeBandwidth& result = context.result.exchange;
  result.tasks = got.size();
  result.mean = stats::mean_of(got);
  result.stddev = stats::deviation_of(got);
  const auto [least, most] = std::ranges::minmax(got);
  result.min = least;
  result.max = most;
  const workloads::TaskSpec spec = task_spec(context);
  const double cell_cycles = context.cycles(context.router.cell_ticks_of(models::Topology::node_link_class()));
  result.link = spec.packet_bytes / (context.router.packet_phits * cell_cycles);
}

}  // namespace

void run_tasks(Context& context) {
  models::Layout layout = lay_out(context);
  Application application = make_application(context, layout);
  const u32 tasks = application.program->tasks();
  workloads::TaskHost host(task_spec(context), *application.program, std::move(application.placement));
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  loop.resume_or_start();
  loop.begin();
  if (context.stop == "cycles") {
    loop.run_to(context.stop_cycles);
    loop.finish("cycles", context.stop_cycles);
    return;
  }
  loop.run_out();
  report_stuck_tasks(context, host.stuck(), loop.drops());
  Tick end = loop.completion_cycles();
  collect_finish(context, host.finish_ticks(), tasks);
  if (application.exchange != nullptr) collect_exchange(context, *application.exchange);
  u64 last[2] = {0, host.unreceived()};
  for (const auto& [task, tick] : host.finish_ticks()) last[0] = std::max(last[0], tick);
  context.transport.max({last, 1});
  context.transport.sum({last + 1, 1});
  end = std::max(end, last[0] / context.router.cycle_ticks);
  if (last[1] != 0 && context.config.text("workload.mode") == "causal") {
    context.result.warnings.push_back(
        fmt::format("{} messages arrived that no task receives; check the trace with 'weft trace check'", last[1]));
  }
  loop.finish("workload-complete", end);
}

}  // namespace weft::tools
