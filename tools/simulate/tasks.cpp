// Runs of applications, task by task.
#include "tools/simulate/tasks.hpp"

#include <algorithm>

#include "tools/simulate/compiled_loops.hpp"
#include "tools/simulate/placed_program.hpp"
#include "tools/simulate/programs.hpp"
#include "tools/simulate/run_loop.hpp"
#include "tools/simulate/split.hpp"
#include "tools/simulate/task_results.hpp"
#include "workloads/task_host.hpp"

namespace weft::tools {

void run_tasks(Context& context) {
  models::Layout layout = lay_out(context);
  PlacedProgram placed = make_placed_program(context, layout, context.config);
  if (runs_as_program(context, placed)) return run_program(context, layout, std::move(placed));
  const u32 tasks = placed.program->tasks();
  const workloads::TaskSpec spec = task_spec(context, context.config);
  workloads::TaskHost host(spec, *placed.program, std::move(placed.placement));
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
  report_stuck(context, host.stuck(), loop.drops());
  const Tick delivered = loop.completion_cycles();
  collect_finish(context, host.finish_ticks(), tasks);
  collect_bandwidth(context, *placed.program);
  warn_of_unreceived(context, spec.causal ? host.unreceived() : 0);
  loop.finish("workload-complete", std::max(delivered, last_finish_cycle(context, host.finish_ticks())));
}

}  // namespace weft::tools
