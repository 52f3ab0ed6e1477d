// The course of each job; see the header.
#include "tools/run/job_restarts.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/gathered.hpp"
#include "engine/protocol.hpp"
#include "tools/run/config/application.hpp"

namespace weft::tools {
namespace {

Tick ticks_of(const Context& context, const Job& job, double seconds) {
  if (context.time.cycle_ns <= 0) {
    throw ConfigError(
        fmt::format("{}: job \"{}\" restarts, but a cycle has no stated length (its checkpoint_interval_s, "
                    "checkpoint_cost_s and restart_cost_s are times); give link.rate_gbps or simulation.tick_ps",
                    job.place, job.name));
  }
  constexpr double ns = 1e9;
  return static_cast<Tick>(seconds * ns / context.time.cycle_ns * static_cast<double>(context.time.ticks_per_cycle) +
                           0.5);
}

/// Throws ConfigError for programs whose tasks cannot be put back.
void check_program(const Job& job, const workloads::Program& program) {
  const char* why = program.is_outside()          ? "its tasks live outside of the simulation"
                    : program.listens()           ? "its tasks listen to what becomes of them"
                    : program.keeps_time()        ? "what it sends is given by the time"
                    : program.waits_for_times()   ? "it waits for times of the outside world"
                    : program.meets()             ? "its collective calls are meetings (workload.collectives)"
                    : program.switch_groups() > 0 ? "switches combine what it sends"
                                                  : nullptr;
  if (why == nullptr) return;
  throw ConfigError(fmt::format("{}: job \"{}\" cannot restart ({}); use restart = \"never\", or another workload",
                                job.place, job.name, why));
}

}  // namespace

bool any_restarts(const std::vector<Job>& jobs) { return std::ranges::any_of(jobs, &Job::restarts); }

std::vector<NodeId> vacant_nodes(const Context& context, const std::vector<Job>& jobs,
                                 const workloads::Placement& placement) {
  std::vector<NodeId> vacant;
  if (std::ranges::none_of(jobs, &Job::moves)) return vacant;
  std::vector<NodeId> taken = placement.node_of_task;
  std::ranges::sort(taken);
  for (u32 node = 0; node < context.attachment->nodes(); ++node) {
    const NodeId home = context.attachment->home(node);
    if (!std::ranges::binary_search(taken, home) && context.topology->works(home)) vacant.push_back(home);
  }
  return vacant;
}

u32 places_of_vacant_nodes(const std::vector<Job>& jobs) {
  u32 places = 1;
  for (const Job& job : jobs) {
    if (job.moves) places = std::max(places, tasks_per_node(job.config));
  }
  return places;
}

std::optional<JobRestarts> JobRestarts::of(Context& context, workloads::ProgramHost& host, const std::vector<Job>& jobs,
                                           const std::vector<workloads::ProgramJob>& programs,
                                           const workloads::Placement& placement) {
  if (!any_restarts(jobs)) return {};
  JobRestarts restarts(context, host, jobs, programs);
  restarts.node_of_task_ = placement.node_of_task;
  for (const NodeId node : vacant_nodes(context, jobs, placement))
    restarts.places_[node] = places_of_vacant_nodes(jobs);
  for (const NodeId node : placement.node_of_task) ++restarts.places_[node];
  constexpr Tick cycles = 16;  // from the last packet on: events of NICs and of tasks in the same node
  restarts.settle_ =
      (cycles + 2 * static_cast<Tick>(context.config.integer("node.nic_latency_cycles"))) * context.router.cycle_ticks;
  for (u32 j = 0; j < jobs.size(); ++j) {
    if (!jobs[j].restarts) continue;
    check_program(jobs[j], *programs[j].program);
    JobAt job;
    job.number = j;
    job.moves = jobs[j].moves;
    if (jobs[j].checkpoint_interval_s > 0) job.interval = ticks_of(context, jobs[j], jobs[j].checkpoint_interval_s);
    job.save_ticks = ticks_of(context, jobs[j], jobs[j].checkpoint_cost_s);
    job.restart_ticks = ticks_of(context, jobs[j], jobs[j].restart_cost_s);
    const auto first = placement.node_of_task.begin() + programs[j].first_task;
    job.nodes.assign(first, first + programs[j].tasks);
    for (u32 task = 0; job.moves && task < placement.node_of_task.size(); ++task) {
      if (task >= programs[j].first_task && task < programs[j].first_task + programs[j].tasks) continue;
      if (std::ranges::find(job.nodes, placement.node_of_task[task]) == job.nodes.end()) continue;
      throw ConfigError(fmt::format(
          "{}: job \"{}\" cannot move (restart = \"any-nodes\"), since it shares node {} with another job; place the "
          "jobs on nodes of their own, or use restart = \"same-nodes\"",
          jobs[j].place, jobs[j].name, placement.node_of_task[task].value()));
    }
    restarts.all_.push_back(std::move(job));
  }
  return restarts;
}

bool JobRestarts::works(NodeId node) const {
  if (context_.faults == nullptr) return true;
  for (u32 nic = 0; nic < context_.attachment->nics(); ++nic) {
    if (!context_.faults->works(NodeId(node.value() + context_.attachment->offset(nic)))) return false;
  }
  return true;
}

/// A node of the job that does not work; its first one if all do.
NodeId JobRestarts::broken_node(const JobAt& job) const {
  const auto found = std::ranges::find_if(job.nodes, [this](NodeId node) { return !works(node); });
  return found == job.nodes.end() ? job.nodes.front() : *found;
}

Tick JobRestarts::next_after(Tick now) const {
  Tick next = never;
  for (const JobAt& job : all_) {
    Tick due = job.course.due;
    if (job.course.phase == Phase::not_begun) {
      const Tick begin = std::min(job.course.begin, host_.begin_of(job.number));
      due = begin == never ? never : begin + 1;
    }
    if (due > now) next = std::min(next, due);
  }
  return next;
}

bool JobRestarts::any_stands() const {
  return std::ranges::any_of(all_, [](const JobAt& job) {
    const Phase phase = job.course.phase;
    return phase == Phase::saves || phase == Phase::waits || phase == Phase::restarts;
  });
}

bool JobRestarts::all_over() const {
  return all_.size() == jobs_.size() &&
         std::ranges::all_of(all_, [](const JobAt& job) { return job.course.phase == Phase::over; });
}

bool JobRestarts::is_over(const JobAt& job) {
  u64 running = host_.running(job.number);
  context_.transport.sum({&running, 1});
  return running == 0;
}

bool JobRestarts::nothing_under_way(const JobAt& job, Simulation& simulation) {
  const std::vector<u64>& dropped = simulation.statistics().dropped_of;
  u64 left = host_.under_way(job.number) - (job.number < dropped.size() ? dropped[job.number] : 0);
  context_.transport.sum({&left, 1});
  return left == 0;
}

void JobRestarts::enter(JobAt& job, Phase phase, Tick now, Tick due) {
  job.course.phase = phase;
  job.course.since = now;
  job.course.due = due;
}

/// For so long, and until nothing of the job is in flight any more: that is asked twice, since what NICs and tasks of
/// the same node tell each other on the way is not counted.
void JobRestarts::stand_until(JobAt& job, Tick now, Tick ticks) {
  job.course.quiet = 0;
  job.course.due = engine::later_by(now, std::max(ticks, 2 * settle_) - settle_);
}

bool JobRestarts::apply(Tick now, Simulation& simulation, bool failures) {
  bool any = false;
  for (JobAt& job : all_) {
    Course& course = job.course;
    if (course.phase == Phase::over) continue;
    if (course.phase == Phase::not_begun) {
      course.begin = std::min(course.begin, host_.begin_of(job.number));
      if (course.begin == never || course.begin >= now) continue;
      enter(job, Phase::runs, course.begin, engine::later_by(course.begin, job.interval));
      failures = true;
    }
    const bool down = failures && !works(broken_node(job));
    if (down && course.phase != Phase::waits) {
      if (course.phase == Phase::runs && is_over(job)) {
        enter(job, Phase::over, now, never);
        continue;
      }
      fail(job, now);
    }
    if (course.phase == Phase::waits) {
      if (failures) find_nodes(job, now);
    } else if (course.due <= now) {
      any |= look(job, now, simulation);
    }
  }
  return any;
}

/// What the job has done since its last checkpoint is lost.
void JobRestarts::fail(JobAt& job, Tick now) {
  Course& course = job.course;
  const Tick took = now - course.since;
  if (course.phase == Phase::runs) course.work += took;
  if (course.phase == Phase::saves) course.saving += took;
  if (course.phase == Phase::restarts) course.restarting += took;
  course.lost += std::exchange(course.work, 0);
  ++course.failures;
  host_.stand(job.number, workloads::ProgramHost::Standing::failed);
  enter(job, Phase::waits, now, never);
}

/// Tasks of nodes that do not work go to free ones that do, all of a node to one: the first ones. If there are too few,
/// the job waits.
void JobRestarts::find_nodes(JobAt& job, Tick now) {
  Course& course = job.course;
  std::vector<NodeId> nodes = job.nodes;
  const auto first = node_of_task_.begin() + programs_[job.number].first_task, last = first + job.nodes.size();
  for (NodeId& node : nodes) {
    if (works(node)) continue;
    const auto is_taken = [&](NodeId other) {
      return std::ranges::find(nodes, other) != nodes.end() ||
             std::ranges::any_of(all_,
                                 [&](const JobAt& one) {
                                   return &one != &job && std::ranges::find(one.nodes, other) != one.nodes.end();
                                 }) ||
             // Until tasks of another job have left it, a node is taken.
             std::ranges::find(node_of_task_.begin(), first, other) != first ||
             std::ranges::find(last, node_of_task_.end(), other) != node_of_task_.end();
    };
    const auto tasks = static_cast<u32>(std::ranges::count(nodes, node));
    const auto free = std::ranges::find_if(places_, [&](const auto& other) {
      return job.moves && other.second >= tasks && works(other.first) && !is_taken(other.first);
    });
    if (free == places_.end()) {
      if (context_.faults->next_after(now) != never) return;
      throw StuckError(fmt::format(
          "job \"{}\" has failed with node {} in cycle {}, and cannot restart: {}, and no repair comes any more; let "
          "the node come up, or leave free nodes to a job with restart = \"any-nodes\"",
          jobs_[job.number].name, node.value(), course.since / context_.router.cycle_ticks,
          job.moves ? "no free node is left" : "it goes on at the same nodes (restart = \"same-nodes\")"));
    }
    const NodeId broken = node;
    std::ranges::replace(nodes, broken, free->first);
  }
  job.nodes = std::move(nodes);
  course.waiting += now - course.since;
  enter(job, Phase::restarts, now, never);
  stand_until(job, now, job.restart_ticks);
}

/// Something of the job is due. Whether its tasks go on.
bool JobRestarts::look(JobAt& job, Tick now, Simulation& simulation) {
  Course& course = job.course;
  if (course.phase == Phase::runs) {
    if (is_over(job)) {
      enter(job, Phase::over, now, never);
      return false;
    }
    course.work += now - course.since;
    host_.stand(job.number, workloads::ProgramHost::Standing::stands);
    enter(job, Phase::saves, now, never);
    stand_until(job, now, job.save_ticks);
    return false;
  }
  if (course.quiet == 0) {
    course.quiet = nothing_under_way(job, simulation) ? 1 : 0;
    course.due = now + settle_;
    return false;
  }
  go_on(job, now);
  return true;
}

void JobRestarts::go_on(JobAt& job, Tick now) {
  Course& course = job.course;
  const Tick took = now - course.since;
  if (course.phase == Phase::saves) {
    course.kept_at = course.since;
    course.saving += took;
    ++course.checkpoints;
    host_.keep(job.number);
    host_.go_on(job.number, now, took);
  } else {
    course.restarting += took;
    move(job);
    host_.restore(job.number, now, course.kept_at == never ? 0 : now - course.kept_at);
  }
  course.work = 0;
  enter(job, Phase::runs, now, engine::later_by(now, job.interval));
}

/// Tasks go to their new nodes, with what is kept of them. All ranks hear of it, since any may have either node.
void JobRestarts::move(const JobAt& job) {
  std::vector<u32> tasks;
  const u32 first = programs_[job.number].first_task;
  for (u32 task = 0; task < job.nodes.size(); ++task) {
    if (node_of_task_[first + task] != job.nodes[task]) tasks.push_back(first + task);
  }
  if (tasks.empty()) return;
  engine::ByteWriter mine;
  host_.leave(tasks, mine);
  std::vector<std::byte> told = engine::gathered(context_.transport, mine.bytes());
  context_.transport.broadcast(told);
  for (const u32 task : tasks) {
    node_of_task_[task] = job.nodes[task - first];
    host_.place(task, node_of_task_[task]);
  }
  host_.arrive(told);
}

void JobRestarts::put(engine::ByteWriter& to) const {
  to.put_list(node_of_task_);
  for (const JobAt& job : all_) {
    to.put(job.course);
    to.put_list(job.nodes);
  }
}

void JobRestarts::get(engine::ByteReader& from) {
  using Standing = workloads::ProgramHost::Standing;
  from.get_list(node_of_task_);
  for (u32 task = 0; task < node_of_task_.size(); ++task) host_.place(task, node_of_task_[task]);
  for (JobAt& job : all_) {
    job.course = from.get<Course>();
    from.get_list(job.nodes);
    const Phase phase = job.course.phase;
    const bool failed = phase == Phase::waits || phase == Phase::restarts;
    host_.stood(job.number, failed ? Standing::failed : phase == Phase::saves ? Standing::stands : Standing::goes_on);
  }
}

void JobRestarts::collect(Tick end) const {
  if (context_.transport.rank() != 0) return;
  for (const JobAt& job : all_) {
    const Course& course = job.course;
    const Tick took = end > course.since ? end - course.since : 0;
    const auto cycles = [&](Tick ticks, Phase phase) {
      return context_.cycles(ticks + (course.phase == phase ? took : 0));
    };
    JobRow& row = context_.result.jobs[job.number];
    row.checkpoints = course.checkpoints;
    row.failures = course.failures;
    row.checkpoint_cycles = cycles(course.saving, Phase::saves);
    row.lost_cycles = context_.cycles(course.lost);
    row.waiting_cycles = cycles(course.waiting, Phase::waits);
    row.restart_cycles = cycles(course.restarting, Phase::restarts);
  }
}

}  // namespace weft::tools
