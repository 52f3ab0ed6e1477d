// Runs programs and tells what became of their tasks.
#include "tools/run/programs.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/meaning.hpp"
#include "tools/run/compiled_loops.hpp"
#include "tools/run/flow_results.hpp"
#include "tools/run/run_of_tasks.hpp"
#include "tools/run/timelines.hpp"
#include "workloads/program/program_host.hpp"

namespace weft::tools {

workloads::ProgramSpec program_spec(const Context& context, u32 tasks) {
  const workloads::TaskSpec shared = task_spec(context, context.config);
  workloads::ProgramSpec spec;
  spec.packet_bytes = shared.packet_bytes;
  spec.phit_bytes = shared.phit_bytes;
  spec.header_phits = shared.header_phits;
  spec.seed = shared.seed;
  spec.nics = static_cast<u32>(context.config.integer("node.nics"));
  spec.nic_policy = workloads::nic_policy(context.config.text("node.nic_policy")).nic;
  for (u32 nic = 1; nic < context.attachment->nics(); ++nic)
    spec.nic_offsets.push_back(context.attachment->offset(nic));
  spec.nic_of_receiver = context.config.text("node.nic_arrival") == "task";
  spec.planes = context.topology->planes();
  spec.nic_latency = static_cast<Tick>(context.config.integer("node.nic_latency_cycles")) * context.router.cycle_ticks;
  spec.record_matches = !context.record_path("statistics.matches").empty();
  spec.timeline = timeline_spec(context, tasks);
  spec.non_blocking_path = means(context.config.text("node.path_shape"), "non-blocking", "bus");
  return spec;
}

void write_matches(Context& context, const std::vector<workloads::Match>& mine) {
  using workloads::Match;
  const std::string path = context.record_path("statistics.matches");
  if (path.empty()) return;
  std::vector<Match> all;
  for (const auto& rows : engine::gather_values<Match>(context.transport, mine))
    all.insert(all.end(), rows.begin(), rows.end());
  if (context.transport.rank() != 0) return;
  std::ranges::sort(all, {}, [](const Match& m) { return std::pair(m.destination, m.receive_operation); });
  std::string text = "source,send_operation,destination,receive_operation\n";
  for (const Match& m : all)
    text += fmt::format("{},{},{},{}\n", m.source, m.send_operation, m.destination, m.receive_operation);
  files::write_file_atomically(path, text);
}

void run_program(Context& context, models::Layout& layout, PlacedProgram placed) {
  const workloads::ProgramJob job = program_job(context, placed, 0);
  const workloads::Placement placement = placed.placement;
  workloads::ProgramHost host(program_spec(context, job.tasks), {job}, std::move(placed.placement));
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  run_of_tasks(context, loop, host, *placed.program, job.causal);
  collect_activities(context, job, host.activities(0), 0);
  collect_bus(context, *placed.program);
  collect_timeline(context, loop, host.timeline(), {{"", placed.program.get()}});
  write_matches(context, host.matches());
  collect_flows(context, {job}, placement, {0}, host.arrived());
}

}  // namespace weft::tools
