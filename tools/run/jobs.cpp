// Where the programs of several jobs are put together, placed, begun and told of.
#include "tools/run/jobs.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "tools/run/collect/flow_results.hpp"
#include "tools/run/collect/task_results.hpp"
#include "tools/run/collect/timelines.hpp"
#include "tools/run/compiled_loops.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/job_launcher.hpp"
#include "tools/run/job_restarts.hpp"
#include "tools/run/meetings.hpp"
#include "tools/run/programs.hpp"
#include "tools/run/resends.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/setup/placed_program.hpp"
#include "tools/run/setup/split.hpp"
#include "workloads/program/host/program_host.hpp"
#include "workloads/program/placement/job_placement.hpp"
#include "workloads/program/source_program.hpp"

namespace weft::tools {
namespace {

/// What a pattern of a job's own nodes is to know of the network: distances, groups and worst cases of these nodes. It
/// has no dimensions, since the nodes of a job need form no grid.
workloads::PatternSpec pattern_of_job(const Context& context, const workloads::Placement& placement, u64 seed,
                                      Parameters keys) {
  workloads::PatternSpec pattern = pattern_spec(context);
  pattern.network_nodes = pattern.nodes;
  pattern.nodes = static_cast<u32>(placement.node_of_task.size());
  pattern.seed = seed;
  pattern.dims.clear();
  pattern.keys = std::move(keys);
  for (const NodeId node : placement.node_of_task) pattern.node_of.push_back(node.value());
  if (pattern.distance) {
    pattern.distance = [whole = std::move(pattern.distance), node_of = pattern.node_of](u32 from, u32 to) {
      return whole(node_of[from], node_of[to]);
    };
  }
  return pattern;
}

/// Independent sources as a program: those of SyntheticHost, at the places of the job.
std::unique_ptr<workloads::Program> source_program(const Context& context, const Job& job,
                                                   const workloads::Placement& placement, u32 number) {
  const auto tasks = static_cast<u32>(placement.node_of_task.size());
  const Config& config = job.config;
  const workloads::SourceRules rules = source_rules(config);
  workloads::SourceSpec spec;
  spec.tasks = tasks;
  spec.cells = packet_lengths(config);
  spec.packets = rules.bursts != 0 ? rules.burst_packets : 0;
  spec.packets_per_cycle = rules.packets_per_cycle(spec.cells.mean());
  spec.phit_bytes = static_cast<u32>(config.integer("packet.phit_bytes"));
  spec.header_phits = static_cast<u32>(config.integer("packet.header_phits"));
  spec.seed = context.router.seed + number;
  const workloads::PatternSpec pattern =
      pattern_of_job(context, placement, spec.seed, table_parameters(config, "workload"));
  const std::string name = config.text("workload.pattern");
  if (rules.reactions.any()) {
    throw ConfigError(
        fmt::format("job \"{}\" cannot be reactive (sources of jobs do not see what they receive); use "
                    "workload.kind = \"synthetic\", or no [[job]]",
                    job.name));
  }
  try {
    return std::make_unique<workloads::SourceProgram>(
        spec, name + " traffic", workloads::make_pattern(name, pattern),
        rules.bursts != 0 ? nullptr : arrivals(config, spec.packets_per_cycle, spec.seed));
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("job \"{}\", of {} nodes of its own: {}", job.name, tasks, error.what()));
  }
}

/// Tasks of a job, or sources.
u32 count_tasks(const Context& context, const Job& job) {
  if (!runs_tasks(job.config)) return job.nodes != 0 ? job.nodes : context.attachment->nodes();
  const workloads::WorkloadSpec spec = workload_spec(context, job.config);
  const workloads::WorkloadKind& kind = workload_kind(job.config);
  return kind.count_tasks ? kind.count_tasks(spec) : make_program(job.config, spec)->tasks();
}

u32 places_of_a_node(const Job& job) { return runs_tasks(job.config) ? tasks_per_node(job.config) : 1; }

/// [job]: where its tasks are.
std::vector<workloads::Placement> place(Context& context, const std::vector<Job>& jobs, const std::vector<u32>& tasks) {
  std::vector<workloads::JobTasks> known;
  for (std::size_t j = 0; j < jobs.size(); ++j) known.push_back({jobs[j].name, tasks[j], places_of_a_node(jobs[j])});
  std::vector<workloads::JobPlacement> wanted;
  context.result.mapping = {};
  for (u32 j = 0; j < jobs.size(); ++j) {
    const Config& config = jobs[j].config;
    wanted.push_back(
        workloads::policy_of_job(config.text("placement.policy"), application_spec(context, config), known, j));
  }
  std::vector<workloads::Placement> placements = workloads::place_jobs(wanted, context.attachment->nodes());
  for (workloads::Placement& placement : placements) placement = on_first_nics(context, std::move(placement));
  return placements;
}

/// Its program, or that of its sources.
PlacedProgram place_job(Context& context, const models::Layout& layout, const Job& job, u32 number,
                        workloads::Placement placement) {
  if (runs_tasks(job.config)) return make_placed_program(context, layout, job.config, std::move(placement), job.moves);
  check_nodes_work(context, placement);
  auto program = source_program(context, job, placement, number);
  return {&job.config, std::move(program), std::move(placement), {}};
}

/// The jobs of a run, their programs made.
struct Jobs {
  std::vector<Job> jobs;
  std::vector<PlacedProgram> placed;
  std::vector<workloads::ProgramJob> programs;
  workloads::Placement placement;  ///< of the tasks of all
};

Jobs make_jobs(Context& context, const models::Layout& layout) {
  Jobs all{.jobs = jobs_of(context.config), .placed = {}, .programs = {}, .placement = {}};
  std::vector<u32> tasks;
  u64 sum = 0;
  for (const Job& job : all.jobs) sum += tasks.emplace_back(of_job(job, [&] { return count_tasks(context, job); }));
  constexpr u64 most = u64{1} << workloads::ProgramPacket::task_bits;
  if (sum > most) {
    throw ConfigError(
        fmt::format("jobs of {} tasks in all are too large (packets name at most {}); use smaller jobs", sum, most));
  }
  std::vector<workloads::Placement> placements = place(context, all.jobs, tasks);
  u32 first = 0;
  for (u32 j = 0; j < all.jobs.size(); ++j) {
    const Job& job = all.jobs[j];
    if (!context.only_job.empty() && job.name != context.only_job) continue;
    PlacedProgram placed = of_job(job, [&] { return place_job(context, layout, job, j, std::move(placements[j])); });
    workloads::ProgramJob program = of_job(job, [&] { return program_job(context, placed, first); });
    if (!runs_tasks(job.config)) {
      program.causal = false;
      program.outside_ticks = static_cast<double>(context.time.ticks_per_cycle);  // gaps of sources are in cycles
    }
    if (!context.only_job.empty()) {
      program.start = context.only_job_start;
    } else {
      program.start = job.start_tick(context.time);
      program.waits = !job.after.empty();
      program.repeats = job.background;
    }
    if (context.config.integer("router.traffic_classes") > 1)
      program.traffic_class = static_cast<u8>(job.traffic_class);
    first += program.tasks;
    const std::vector<NodeId>& nodes = placed.placement.node_of_task;
    all.placement.node_of_task.insert(all.placement.node_of_task.end(), nodes.begin(), nodes.end());
    all.programs.push_back(program);
    all.placed.push_back(std::move(placed));
  }
  if (!context.only_job.empty()) {
    std::erase_if(all.jobs, [&](const Job& job) { return job.name != context.only_job; });
    all.placed.front().config = &all.jobs.front().config;
  }
  return all;
}

std::vector<ProgramTasks> tasks_of(const Jobs& all) {
  std::vector<ProgramTasks> programs;
  for (const workloads::ProgramJob& job : all.programs) programs.push_back({job.program, job.first_task});
  return programs;
}

/// Programs that run once.
std::vector<const workloads::Program*> foreground(const Jobs& all) {
  std::vector<const workloads::Program*> programs;
  for (const workloads::ProgramJob& job : all.programs) {
    if (!job.repeats) programs.push_back(job.program);
  }
  return programs;
}

/// Phits/node/cycle that the independent sources of all jobs would send, averaged over the nodes of the network.
double load_offered(const Context& context, const Jobs& all) {
  double phits = 0;
  for (std::size_t j = 0; j < all.jobs.size(); ++j)
    phits += source_rules(all.jobs[j].config).offered_load * all.programs[j].tasks;
  return phits / context.topology->nodes();
}

/// [job]: what is left of it on this process, as ProgramHost::unfinished, less the packets that were dropped here.
std::vector<u64> unfinished(const workloads::ProgramHost& host, Simulation& simulation) {
  std::vector<u64> left = host.unfinished();
  const std::vector<u64>& dropped = simulation.statistics().dropped_of;
  for (std::size_t j = 0; j < dropped.size(); ++j) left[j] -= dropped[j];
  return left;
}

/// What tasks with lanes did, and the timelines of all. Collective.
void collect_lanes(Context& context, const RunLoop& loop, const Jobs& all, const workloads::ProgramHost& host) {
  std::vector<TimelineOf> of_jobs;
  for (u32 j = 0; j < all.placed.size(); ++j) {
    collect_activities(context, all.programs[j], host.activities(j), j);
    of_jobs.push_back({all.jobs[j].name, all.placed[j].program.get()});
  }
  collect_timeline(context, loop, host.timeline(), of_jobs);
}

}  // namespace

void run_jobs(Context& context) {
  models::Layout layout = lay_out(context);
  Jobs all = make_jobs(context, layout);
  context.inputs.check_unchanged();
  context.result.workload_name = fmt::format("{} {}", all.jobs.size(), all.jobs.size() == 1 ? "job" : "jobs");
  context.result.load_offered = load_offered(context, all);
  const u32 tasks = static_cast<u32>(all.placement.node_of_task.size());
  const workloads::Placement placement = all.placement;
  workloads::ProgramSpec spec = program_spec(context, tasks);
  spec.restarts = any_restarts(all.jobs);
  spec.vacant = vacant_nodes(context, all.jobs, placement);
  spec.vacant_places = places_of_vacant_nodes(all.jobs);
  workloads::ProgramHost host(spec, all.programs, std::move(all.placement));
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  std::optional<Meetings> meetings = Meetings::of(context, host, all.programs);
  if (meetings) loop.meet_by(*meetings);
  std::optional<Resends> resends = Resends::of(context, host);
  if (resends) loop.resend_by(*resends);
  std::optional<JobRestarts> restarts = JobRestarts::of(context, host, all.jobs, all.programs, placement);
  if (restarts) loop.restart_by(*restarts);
  loop.count_records(foreground(all));
  loop.resume_or_start();
  loop.begin();
  if (context.stop == "steady-state") {
    loop.measure_steady_state();
    collect_jobs(context, all.jobs, host.counts(), simulation->statistics().dropped_of);
    loop.finish("steady-state", loop.now_cycles());
    return collect_lanes(context, loop, all, host);
  }
  JobLauncher launcher(context, loop, *simulation, all.jobs, !context.only_job.empty());
  launcher.run([&] { return unfinished(host, *simulation); }, [&host] { host.close(); });
  if (context.stop != "cycles")
    report_stuck(context, launcher.all_over() ? decltype(host.stuck()){} : host.stuck(), tasks_of(all), loop.drops());
  collect_finish(context, host.finish_ticks(), tasks);
  collect_jobs(context, all.jobs, host.counts(), simulation->statistics().dropped_of);
  if (restarts) restarts->collect(loop.now());
  write_matches(context, host);
  std::vector<Tick> begins;
  for (const workloads::JobCounts& counts : host.counts()) begins.push_back(~counts.begin);
  context.transport.max(begins);
  for (Tick& begin : begins) begin = ~begin;
  collect_flows(context, all.programs, placement, begins, host.arrived());
  Tick end = launcher.ended_at_cycle();
  if (context.stop == "cycles") {
    loop.finish("cycles", context.stop_cycles);
  } else {
    if (!launcher.has_background())
      end = std::max(loop.completion_cycles(), last_finish_cycle(context, host.finish_ticks()));
    loop.finish("workload-complete", end);
  }
  collect_lanes(context, loop, all, host);
}

}  // namespace weft::tools
