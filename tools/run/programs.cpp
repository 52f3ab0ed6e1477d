// Runs programs and tells what became of their tasks.
#include "tools/run/programs.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/meaning.hpp"
#include "engine/gathered.hpp"
#include "tools/run/collect/flow_results.hpp"
#include "tools/run/collect/task_results.hpp"
#include "tools/run/collect/timelines.hpp"
#include "tools/run/compiled_loops.hpp"
#include "tools/run/faults/run_faults.hpp"
#include "tools/run/meetings.hpp"
#include "tools/run/resends.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/setup/split.hpp"
#include "workloads/program/host/program_host.hpp"

namespace weft::tools {
namespace {

/// Until all tasks are done. Throws as report_stuck. Collective.
void run_to_the_end(Context& context, RunLoop& loop, const workloads::ProgramHost& host,
                    const workloads::ProgramJob& job) {
  loop.run_out();
  report_stuck(context, host.stuck(), {{job.program, 0}}, loop.drops());
  const Tick delivered = loop.completion_cycles();
  collect_finish(context, host.finish_ticks(), job.tasks);
  collect_bandwidth(context, *job.program);
  warn_of_unreceived(context, job.causal ? host.unreceived() : 0);
  loop.finish("workload-complete", std::max(delivered, last_finish_cycle(context, host.finish_ticks())));
}

}  // namespace

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
  spec.resends = resends(context);
  spec.record_matches = !context.record_path("statistics.matches").empty();
  spec.timeline = timeline_spec(context, tasks);
  spec.non_blocking_path = means(context.config.text("node.path_shape"), "non-blocking", "bus");
  return spec;
}

void write_matches(Context& context, const workloads::ProgramHost& host) {
  using workloads::Match;
  using workloads::SentMessage;
  const std::string path = context.record_path("statistics.matches");
  if (path.empty()) return;
  std::vector<Match> all = engine::gathered(context.transport, host.matches());
  std::vector<SentMessage> sent = engine::gathered(context.transport, host.sends());
  if (context.transport.rank() != 0) return;
  const auto message_of = [](const SentMessage& s) { return std::pair(s.source, s.number); };
  std::ranges::sort(all, {}, [](const Match& m) { return std::pair(m.destination, m.receive_operation); });
  std::ranges::sort(sent, {}, message_of);
  std::string text = "source,send_operation,destination,receive_operation\n";
  for (const Match& m : all) {
    const auto send = std::ranges::lower_bound(sent, std::pair(m.source, m.number), {}, message_of);
    WEFT_ASSERT(send != sent.end() && message_of(*send) == std::pair(m.source, m.number));
    text += fmt::format("{},{},{},{}\n", m.source, send->operation, m.destination, m.receive_operation);
  }
  files::write_file_atomically(path, text);
}

void run_tasks(Context& context) {
  models::Layout layout = lay_out(context);
  PlacedProgram placed = make_placed_program(context, layout, context.config);
  const workloads::Program& program = *placed.program;
  workloads::ProgramJob job = program_job(context, placed, 0);
  job.receives_say_all = receives_say_all(context, placed);
  const workloads::Placement placement = placed.placement;
  const std::vector<workloads::ProgramJob> jobs{job};
  workloads::ProgramHost host(program_spec(context, job.tasks), jobs, std::move(placed.placement));
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  std::optional<Meetings> meetings = Meetings::of(context, host, jobs);
  if (meetings) loop.meet_by(*meetings);
  std::optional<Resends> resends = Resends::of(context, host);
  if (resends) loop.resend_by(*resends);
  loop.count_records({&program});
  loop.resume_or_start();
  loop.begin();
  if (context.stop == "cycles") {
    loop.run_to(context.stop_cycles);
    loop.finish("cycles", context.stop_cycles);
  } else {
    run_to_the_end(context, loop, host, job);
  }
  collect_activities(context, job, host.activities(0), 0);
  collect_bus(context, program);
  collect_timeline(context, loop, host.timeline(), {{"", &program}});
  write_matches(context, host);
  collect_flows(context, {job}, placement, {0}, host.arrived());
}

}  // namespace weft::tools
