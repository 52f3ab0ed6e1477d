// Runs programs and tells what became of their tasks.
#include "tools/simulate/programs.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "tools/simulate/compiled_loops.hpp"
#include "tools/simulate/run_loop.hpp"
#include "tools/simulate/task_results.hpp"
#include "workloads/program/program_host.hpp"

namespace weft::tools {
namespace {

workloads::ProgramSpec program_spec(const Context& context) {
  const workloads::TaskSpec shared = task_spec(context, context.config);
  workloads::ProgramSpec spec;
  spec.packet_bytes = shared.packet_bytes;
  spec.phit_bytes = shared.phit_bytes;
  spec.header_phits = shared.header_phits;
  spec.seed = shared.seed;
  return spec;
}

}  // namespace

void run_program(Context& context, models::Layout& layout, Application application) {
  const u32 tasks = application.program->tasks();
  const workloads::ProgramJob job = program_job(context, application, 0);
  workloads::ProgramHost host(program_spec(context), {job}, std::move(application.placement));
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
  collect_bandwidth(context, *application.program);
  warn_of_unreceived(context, job.causal ? host.unreceived() : 0);
  loop.finish("workload-complete", std::max(delivered, last_finish_cycle(context, host.finish_ticks())));
}

}  // namespace weft::tools
