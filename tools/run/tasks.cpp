// Runs of applications, task by task.
#include "tools/run/tasks.hpp"

#include "tools/run/compiled_loops.hpp"
#include "tools/run/placed_program.hpp"
#include "tools/run/programs.hpp"
#include "tools/run/run_of_tasks.hpp"
#include "tools/run/split.hpp"
#include "tools/run/timelines.hpp"
#include "workloads/program/task_host.hpp"

namespace weft::tools {

void run_tasks(Context& context) {
  models::Layout layout = lay_out(context);
  PlacedProgram placed = make_placed_program(context, layout, context.config);
  if (runs_as_program(context, placed)) return run_program(context, layout, std::move(placed));
  const workloads::TaskSpec spec = task_spec(context, context.config);
  workloads::TaskHost host(spec, *placed.program, std::move(placed.placement),
                           timeline_spec(context, placed.program->tasks()));
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  run_of_tasks(context, loop, host, *placed.program, spec.causal);
  collect_timeline(context, loop, host.timeline(), {{"", placed.program.get()}});
}

}  // namespace weft::tools
