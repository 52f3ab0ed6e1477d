// Runs of applications: kernels and traces, task by task.
#pragma once

#include <algorithm>
#include <cstring>

#include "tools/simulate/driver.hpp"
#include "tools/simulate/split.hpp"
#include "workloads/kernel/kernel.hpp"
#include "workloads/task_host.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::tools {

/// The application of [workload]: a trace (only the tasks placed on this process are kept) or a kernel; and its placement.
struct Application {
  std::unique_ptr<workloads::Program> program;
  workloads::Placement placement;
};
[[nodiscard]] Application make_application(Context& context, const models::Layout& layout);
[[nodiscard]] workloads::TaskSpec task_spec(const Context& context);
/// Throws StuckError naming the waiting tasks if any rank has some.
void report_stuck_tasks(Context& context, const std::vector<workloads::StuckTask>& mine);
void collect_finish(Context& context, const std::vector<std::pair<u32, Tick>>& mine, u32 tasks);

template <class Policy>
void run_tasks(Context& context) {
  models::Layout layout = lay_out(context);
  Application application = make_application(context, layout);
  const u32 tasks = application.program->tasks();
  workloads::TaskHost host(task_spec(context), *application.program, std::move(application.placement));
  Driver<Policy, workloads::TaskHost> driver(context, host, layout);
  if (!driver.resume()) host.start(driver.net());
  driver.begin_loop();
  if (context.stop == "cycles") {
    driver.run_to(context.stop_cycles);
    driver.finish("cycles", context.stop_cycles);
    return;
  }
  driver.run_out();
  report_stuck_tasks(context, host.stuck());
  Tick end = driver.completion_cycles();
  collect_finish(context, host.finish_ticks(), tasks);
  u64 last[2] = {0, host.unreceived()};
  for (const auto& [task, tick] : host.finish_ticks()) last[0] = std::max(last[0], tick);
  context.transport.max({last, 1});
  context.transport.sum({last + 1, 1});
  end = std::max(end, last[0] / context.router.cycle_ticks);
  if (last[1] != 0 && context.config.text("workload.mode") == "causal") {
    context.result.warnings.push_back(
        std::to_string(last[1]) + " messages arrived that no task receives; check the trace with 'weft trace check'");
  }
  driver.finish("workload-complete", end);
}

}  // namespace weft::tools
