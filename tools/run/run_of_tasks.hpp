// The course of a run of one application, whatever runs its tasks.
#pragma once

#include <algorithm>

#include "tools/run/run_loop.hpp"
#include "tools/run/task_results.hpp"

namespace weft::tools {

/// Runs the tasks of a host (workloads::TaskHost, ProgramHost) to their end, or to simulation.cycles, and fills in
/// context.result. `causal`: whether messages that nobody receives are worth a warning. Throws as report_stuck.
/// Collective.
template <class Host>
void run_of_tasks(Context& context, RunLoop& loop, const Host& host, const workloads::Program& program, bool causal) {
  loop.count_records({&program});
  loop.resume_or_start();
  loop.begin();
  if (context.stop == "cycles") {
    loop.run_to(context.stop_cycles);
    loop.finish("cycles", context.stop_cycles);
    return;
  }
  loop.run_out();
  report_stuck(context, host.stuck(), {{&program, 0}}, loop.drops());
  const Tick delivered = loop.completion_cycles();
  collect_finish(context, host.finish_ticks(), program.tasks());
  collect_bandwidth(context, program);
  warn_of_unreceived(context, causal ? host.unreceived() : 0);
  loop.finish("workload-complete", std::max(delivered, last_finish_cycle(context, host.finish_ticks())));
}

}  // namespace weft::tools
