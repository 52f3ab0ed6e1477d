// Gathers what became of tasks on all ranks.
#include "tools/run/collect/task_results.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <tuple>

#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"
#include "engine/gathered.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/config/jobs.hpp"
#include "workloads/trace/collectives.hpp"

namespace weft::tools {
namespace {

using workloads::StuckOperation;

std::string number_or_any(u32 number) { return number == workloads::GraphOp::any ? "any" : std::to_string(number); }

/// "waits for a message from task 3 with tag 0 of 64 bytes"
std::string waits_for(const StuckOperation& o) {
  using Kind = workloads::GraphOp::Kind;
  const std::string peer = o.peer == workloads::GraphOp::any ? "any task" : "task " + std::to_string(o.peer);
  const std::string group = o.communicator == 0 ? "" : fmt::format(" in communicator {}", o.communicator);
  if (o.communicator == workloads::GraphOp::by_switch)
    return fmt::format("waits for chunk {} of {} bytes from the switch of its group {}", o.tag, o.bytes, o.peer);
  switch (o.kind) {
    case Kind::send:
      return fmt::format("waits until task {} receives its message with tag {}{} of {} bytes", o.peer, o.tag, group,
                         o.bytes);
    case Kind::probe:
      return fmt::format("waits for any message from {} with tag {}{}", peer, number_or_any(o.tag), group);
    case Kind::compute:
    case Kind::until:
    case Kind::pause:
      return "waits for its compute stream";
    case Kind::join:
      return "waits until something that it has begun is complete";
    case Kind::meet:
      return fmt::format("waits in {}, call {} of communicator {}, for tasks that do not come",
                         workloads::name_of(static_cast<workloads::Collective>(o.peer)), u64{o.tag} + 1,
                         o.communicator);
    case Kind::receive:
      break;
  }
  return fmt::format("waits for a message from {} with tag {}{} of {} bytes", peer, number_or_any(o.tag), group,
                     o.bytes);
}

constexpr std::size_t most_shown = 20;

const ProgramTasks& program_of(const std::vector<ProgramTasks>& programs, u32 task) {
  const auto after = std::ranges::upper_bound(programs, task, {}, &ProgramTasks::first_task);
  return *(after - 1);
}

/// Finds the records that the first operations that wait are of. Streams of tasks are on their rank only.
void find_records(std::vector<StuckOperation>& mine, const std::vector<ProgramTasks>& programs) {
  std::ranges::sort(mine, {}, [](const StuckOperation& o) { return std::pair(o.task, o.operation); });
  for (std::size_t k = 0; k < std::min(mine.size(), most_shown); ++k) {
    const auto& [program, first_task] = program_of(programs, mine[k].task);
    mine[k].record = program->record_of(TaskId(mine[k].task - first_task), mine[k].operation);
  }
}

/// " (record 17, x.trc:42)" of each; " (line 3)" where the program knows it, " (MPI_Recv)" of processes.
std::vector<std::string> stuck_places(std::span<const StuckOperation> stuck,
                                      const std::vector<ProgramTasks>& programs) {
  std::vector<std::string> texts(stuck.size());
  for (const ProgramTasks& of : programs) {
    std::vector<std::size_t> asked;
    std::vector<std::pair<u32, u64>> records;
    for (std::size_t k = 0; k < stuck.size(); ++k) {
      if (stuck[k].line != 0) texts[k] = fmt::format(" (line {})", stuck[k].line);
      if (stuck[k].record == 0 || &program_of(programs, stuck[k].task) != &of) continue;
      asked.push_back(k);
      records.emplace_back(stuck[k].task - of.first_task, stuck[k].record);
    }
    if (asked.empty()) continue;
    std::vector<std::string> places(asked.size());
    try {
      places = of.program->places_of(records);
    } catch (const std::runtime_error&) {
      // The trace is not there any more, as it was: the records can still be counted.
    }
    for (std::size_t k = 0; k < asked.size(); ++k) {
      texts[asked[k]] = of.program->listens() ? fmt::format(" ({})", places[k])
                                              : fmt::format(" (record {}{}{})", records[k].second,
                                                            places[k].empty() ? "" : ", ", places[k]);
    }
  }
  return texts;
}

/// From when a task is over until the last of its job is, mean over its tasks; 0 if not all are over.
double cycles_at_end(const std::vector<double>& finish_cycles, u32 first_task, u32 tasks) {
  double last = 0, sum = 0;
  if (finish_cycles.size() < u64{first_task} + tasks) return 0;
  for (const double cycle : std::span(finish_cycles).subspan(first_task, tasks)) {
    if (!std::isfinite(cycle)) return 0;
    last = std::max(last, cycle);
    sum += cycle;
  }
  return last - sum / tasks;
}

/// What to look at where messages and receives of the tasks do not match: what the user has, be it a trace or not.
std::string look_at(const Config& config) {
  std::vector<std::string> kinds;
  if (config.jobs().empty()) kinds.push_back(config.text("workload.kind"));
  for (const Job& job : jobs_of(config)) kinds.push_back(job.config.text("workload.kind"));
  const auto has = [&kinds](const char* kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
  if (has("trace")) return "check the trace with 'weft trace check'";
  if (has("cosim")) return "look at the sends and receives of the program that runs outside of weft";
  std::vector<std::string> files = workload_files(config);
  std::erase_if(files, [&config](const std::string& key) { return config.text(key).empty(); });
  if (!files.empty()) return fmt::format("check what {} = \"{}\" says", files.front(), config.text(files.front()));
  return fmt::format("the program of workload.kind = \"{}\" is not sound: tell whoever wrote it", kinds.front());
}

}  // namespace

void report_stuck(Context& context, std::vector<StuckOperation> mine, const std::vector<ProgramTasks>& programs,
                  const std::string& drops) {
  find_records(mine, programs);
  std::vector<StuckOperation> all = engine::gathered(context.transport, mine);
  std::ranges::sort(all, {}, [](const StuckOperation& o) { return std::pair(o.task, o.operation); });
  u64 counts[2] = {mine.size(), 0};  // operations, tasks
  for (std::size_t k = 0; k < all.size(); ++k) counts[1] += k == 0 || all[k].task != all[k - 1].task ? 1U : 0U;
  context.transport.sum({counts, 1});
  context.transport.max({counts + 1, 1});
  if (counts[0] == 0) return;
  std::string detail;
  const std::span shown(all.data(), std::min(all.size(), most_shown));
  const std::vector<std::string> places = stuck_places(shown, programs);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const StuckOperation& o = shown[i];
    detail +=
        fmt::format("{}task {}, operation {}{}: {}", i == 0 ? "" : "\n", o.task, o.operation, places[i], waits_for(o));
  }
  if (all.size() > most_shown) {
    detail +=
        fmt::format("\n... and {} more {}", all.size() - most_shown, counts[0] == counts[1] ? "tasks" : "operations");
  }
  if (!drops.empty()) {
    throw StuckError(
        fmt::format(
            "{} tasks wait for messages of which packets were lost ({}); choose faults that leave the tasks a way to "
            "each other, or another router or placement",
            counts[1], drops),
        detail);
  }
  throw StuckError(
      fmt::format("unmatched receive: {} tasks wait for messages that nobody sends (the network is empty); {}",
                  counts[1], look_at(context.config)),
      detail);
}

void collect_finish(Context& context, const std::vector<std::pair<u32, Tick>>& mine, u32 tasks) {
  const std::vector<std::pair<u32, Tick>> all = engine::gathered(context.transport, mine);
  if (context.transport.rank() != 0) return;
  context.result.task_finish_cycles.assign(tasks, no_figure);
  for (const auto& [task, tick] : all) context.result.task_finish_cycles[task] = context.cycles(tick);
}

void collect_bandwidth(Context& context, const workloads::Program& program) {
  const auto received_bytes = workload_kind(context.config).received_bytes;
  if (context.transport.rank() != 0 || received_bytes == nullptr) return;
  std::vector<double> got;
  for (u32 task = 0; task < program.tasks(); ++task) {
    const double bytes = static_cast<double>(received_bytes(program, TaskId(task)));
    if (bytes > 0) got.push_back(bytes / context.result.task_finish_cycles[task]);
  }
  ExchangeBandwidth& result = context.result.exchange;
  result.tasks = got.size();
  result.mean = stats::mean_of(got);
  result.stddev = stats::deviation_of(got);
  const auto [least, most] = std::ranges::minmax(got);
  result.min = least;
  result.max = most;
  const double sent = nic_bytes_per_cycle(context.config, *context.topology);
  result.link = std::isfinite(sent) ? sent : no_figure;
}

void collect_activities(Context& context, const workloads::ProgramJob& job,
                        const std::vector<workloads::ActivityCounts>& mine, u32 number) {
  const workloads::Program& program = *job.program;
  const double tasks = program.tasks();
  const std::vector<double> least_waits =
      context.transport.rank() == 0 ? program.least_waits_ns() : std::vector<double>{};
  // What tasks wait for most by their schedule is also what they wait for at the end.
  const auto most = std::ranges::max_element(least_waits);
  const std::vector<workloads::Activity> activities = program.activities();
  for (std::size_t k = 0; k < activities.size(); ++k) {
    u64 sums[] = {mine[k].ticks, mine[k].side_ticks, mine[k].messages, mine[k].bytes, mine[k].hidden_ticks};
    context.transport.sum(sums);
    if (context.transport.rank() != 0) continue;
    ActivityRow row{.name = activities[k].name,
                    .communicates = activities[k].communicates,
                    .cycles = context.cycles(sums[0]) / tasks,
                    .side_cycles = context.cycles(sums[1]) / tasks,
                    .messages = sums[2],
                    .bytes = sums[3],
                    .job = number,
                    .hidden_cycles = context.cycles(sums[4]) / tasks,
                    .outside = activities[k].outside};
    if (!least_waits.empty()) {
      if (*most > 0 && least_waits[k] == *most && !job.repeats)
        row.cycles += cycles_at_end(context.result.task_finish_cycles, job.first_task, program.tasks());
      const double wait = least_waits[k] * job.ticks_per_ns / static_cast<double>(context.time.ticks_per_cycle);
      row.bubble_cycles = std::min(row.cycles, wait);
    }
    context.result.activities.push_back(std::move(row));
  }
}

void collect_bus(Context& context, const workloads::Program& program) {
  const workloads::WorkloadKind& kind = workload_kind(context.config);
  const std::vector<double> finished = context.result.finished_cycles();
  if (context.transport.rank() != 0 || kind.bus == nullptr || finished.size() < program.tasks()) return;
  const workloads::BusMeasure measure = kind.bus(workload_spec(context, context.config).keys, program.tasks());
  const double last = std::ranges::max(finished);
  if (last <= 0 || measure.factor <= 0) return;
  context.result.bus.algorithm = static_cast<double>(measure.bytes) / last;
  context.result.bus.bus = context.result.bus.algorithm * measure.factor;
}

void collect_jobs(Context& context, const std::vector<Job>& jobs, const std::vector<workloads::JobCounts>& mine,
                  const std::vector<u64>& dropped) {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const workloads::JobCounts& c = mine[j];
    const u64 lost = j < dropped.size() ? dropped[j] : 0;
    u64 sums[] = {c.tasks,     c.running + c.in_flight - lost,
                  c.packets,   c.latency,
                  c.messages,  c.bytes,
                  c.generated, c.messages_sent,
                  lost};
    context.transport.sum(sums);
    u64 most[] = {c.latency_max, c.finish, ~c.begin, ~c.rounds};
    context.transport.max(most);
    JobRow row;
    row.name = jobs[j].name;
    row.tasks = sums[0];
    row.background = jobs[j].background;
    if (const Tick begin = ~most[2]; begin != never) row.start_cycle = context.cycles(begin);
    if (sums[1] == 0) row.finish_cycle = context.cycles(most[1]);
    row.repetitions = ~most[3] == never ? 0 : ~most[3];
    row.packets = sums[2];
    row.messages = sums[4];
    row.bytes = sums[5];
    row.packets_generated = sums[6];
    row.messages_sent = sums[7];
    row.packets_dropped = sums[8];
    if (sums[2] != 0) {
      row.latency_mean = context.cycles(sums[3]) / static_cast<double>(sums[2]);
      row.latency_max = context.cycles(most[0]);
    }
    if (context.transport.rank() == 0) context.result.jobs.push_back(row);
  }
}

void warn_of_unreceived(Context& context, u64 mine) {
  context.transport.sum({&mine, 1});
  if (mine == 0) return;
  context.result.warnings.push_back(
      fmt::format("{} messages arrived that no task receives; {}", mine, look_at(context.config)));
}

Tick last_finish_cycle(Context& context, const std::vector<std::pair<u32, Tick>>& mine) {
  u64 last = 0;
  for (const auto& [task, tick] : mine) last = std::max(last, tick);
  context.transport.max({&last, 1});
  return last / context.router.cycle_ticks;
}

}  // namespace weft::tools
