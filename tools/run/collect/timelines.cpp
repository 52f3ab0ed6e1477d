// Gathers timelines, some tasks at a time, and writes them; see the header.
#include "tools/run/collect/timelines.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/text/number_ranges.hpp"
#include "engine/gathered.hpp"
#include "tools/result/timeline/timeline_file.hpp"
#include "tools/result/timeline/timeline_kind.hpp"
#include "tools/run/collect/collect.hpp"
#include "tools/run/collect/timeline_rows.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

using workloads::TimelineRecord;

/// Records that rank 0 holds at a time, about.
constexpr u64 records_at_a_time = u64{1} << 20;

u64 most_timeline(const Context& context) {
  const u64 most = static_cast<u64>(context.config.integer("statistics.most_timeline"));
  const auto kind = timeline_kind(context.record_path("statistics.timeline"));
  return kind == TimelineKind::chrome ? std::min<u64>(most, most_chrome_records) : most;
}

/// From which length on messages of a job, or of all of the run, are sent by rendezvous.
u64 rendezvous_of(const Context& context, const std::string& job) {
  if (context.topology->joins_all()) return static_cast<u64>(context.config.integer("ideal.rendezvous_bytes"));
  const Config& config = context.config;
  return static_cast<u64>((job.empty() ? config : config.of_job(job)).integer("workload.rendezvous_bytes"));
}

timeline::TimelineFrame frame_of(const Context& context, const std::vector<TimelineOf>& jobs) {
  timeline::TimelineFrame frame;
  frame.title = fmt::format("{} on {} (weft {})", context.result.workload_name, context.topology->name(), version);
  frame.ticks_per_cycle = context.time.ticks_per_cycle;
  if (context.time.cycle_ns > 0)
    frame.tick_ns = context.time.cycle_ns / static_cast<double>(context.time.ticks_per_cycle);
  u32 first = 0;
  for (const TimelineOf& job : jobs) {
    const workloads::Program& program = *job.program;
    frame.jobs.push_back({job.name, program.name(), program.regions(), first, program.tasks(), program.is_linear(),
                          rendezvous_of(context, job.name)});
    first += program.tasks();
  }
  return frame;
}

/// What lanes did, as rows of the result: activities are those of all jobs in a row.
void add_rows(Context& context, const timeline::TimelineFrame& frame, const std::vector<TimelineRecord>& records) {
  std::vector<TimelineRow>& rows = context.result.timeline;
  const std::size_t had = rows.size();
  for (const TimelineRecord& r : records) {
    const timeline::TimelineJob& job = frame.job_of(r.task);
    if (r.kind != TimelineRecord::Kind::region || job.linear) continue;
    const u64 number = static_cast<u64>(&job - frame.jobs.data());
    const std::vector<ActivityRow>& activities = context.result.activities;
    const auto own = std::ranges::lower_bound(activities, number, {}, &ActivityRow::job) - activities.begin();
    rows.push_back({r.task, r.lane, static_cast<u64>(own) + r.peer, context.cycles(r.begin), context.cycles(r.end)});
  }
  std::sort(rows.begin() + static_cast<std::ptrdiff_t>(had), rows.end(),
            [](const TimelineRow& a, const TimelineRow& b) {
              return std::tuple(a.task, a.lane, a.begin, a.end) < std::tuple(b.task, b.lane, b.begin, b.end);
            });
}

/// Says that a timeline ends before the run.
void warn_of_the_end(Context& context, Tick cut) {
  const std::string path = context.record_path("statistics.timeline");
  const bool chrome = timeline_kind(path) == TimelineKind::chrome;
  const std::string advice =
      chrome ? "write NAME.pftrace or NAME.otf2 in place of JSON, which takes more; or use fewer "
               "statistics.timeline_tasks, or a later statistics.timeline_from_cycles"
             : "use a larger statistics.most_timeline, fewer statistics.timeline_tasks, or a window from "
               "statistics.timeline_from_cycles on";
  warn(context, fmt::format("the timeline ends at cycle {:.0f}, where one of its tasks has more than its share of {} "
                            "records{}; {}",
                            context.cycles(cut), most_timeline(context), chrome ? " (the limit of JSON)" : "", advice));
}

/// All records of some tasks, task by task, on rank 0.
std::vector<std::vector<TimelineRecord>> gathered_tasks(Context& context, const workloads::Timeline& mine,
                                                        std::span<const u32> tasks, Tick now, Tick cut) {
  std::vector<std::vector<TimelineRecord>> of_task(context.transport.rank() == 0 ? tasks.size() : 0);
  const std::vector<TimelineRecord> here = mine.records(tasks.front(), tasks.back() + 1, now, cut);
  for (const TimelineRecord& record : engine::gathered(context.transport, here)) {
    const auto place = std::ranges::lower_bound(tasks, record.task) - tasks.begin();
    of_task[static_cast<std::size_t>(place)].push_back(record);
  }
  return of_task;
}

}  // namespace

workloads::TimelineSpec timeline_spec(const Context& context, u32 tasks) {
  workloads::TimelineSpec spec;
  const Config& config = context.config;
  const bool asked =
      !context.record_path("statistics.timeline").empty() || !config.text("statistics.timeline_tasks").empty();
  if (!asked || !context.only_job.empty()) return spec;  // jobs that run alone are compared with all of them
  NumberRanges chosen{.all = true};
  if (const std::string text = config.text("statistics.timeline_tasks"); !text.empty()) {
    chosen = parse_number_ranges(text, std::numeric_limits<u32>::max()).value();
    if (!chosen.all && chosen.largest() >= tasks) {
      throw ConfigError(fmt::format("statistics.timeline_tasks has {} (the workload has the tasks 0 to {}); use these",
                                    chosen.largest(), tasks - 1));
    }
  }
  spec.tasks = chosen.below(tasks);
  const Tick cycle = context.router.cycle_ticks;
  spec.from = static_cast<Tick>(config.integer("statistics.timeline_from_cycles")) * cycle;
  const Tick to = static_cast<Tick>(config.integer("statistics.timeline_to_cycles")) * cycle;
  if (to != 0) spec.to = to;
  spec.most_records = std::max<u64>(1, most_timeline(context) / std::max<std::size_t>(1, spec.tasks.size()));
  return spec;
}

void collect_timeline(Context& context, const RunLoop& loop, const workloads::Timeline& mine,
                      const std::vector<TimelineOf>& jobs) {
  const std::vector<u32>& tasks = mine.spec().tasks;
  const bool first = context.transport.rank() == 0;
  const std::string path = context.record_path("statistics.timeline");
  if (tasks.empty()) return;
  Tick cut = mine.full_at();
  context.transport.min({&cut, 1});
  timeline::TimelineFrame frame = frame_of(context, jobs);
  frame.end = loop.now();
  frame.cut = cut;
  std::unique_ptr<timeline::TimelineFile> file;
  if (first && !path.empty()) file = timeline::open_timeline(path, frame);
  // The result has all of what tasks did if it was asked for tasks: files alone may be of many.
  const bool rows_too = !context.config.text("statistics.timeline_tasks").empty();
  TimelineRows operations(context, frame);
  const u64 at_a_time = std::max<u64>(1, records_at_a_time / mine.spec().most_records);
  for (std::size_t begin = 0; begin < tasks.size(); begin += at_a_time) {
    const std::span<const u32> some(tasks.data() + begin, std::min<std::size_t>(at_a_time, tasks.size() - begin));
    const auto of_task = gathered_tasks(context, mine, some, loop.now(), cut);
    for (std::size_t k = 0; k < of_task.size(); ++k) {
      add_rows(context, frame, of_task[k]);
      const timeline::TimelineJob& job = frame.job_of(some[k]);
      const bool has_activities = !job.linear && !job.regions.empty();
      if (rows_too && !has_activities) operations.add_task(some[k], of_task[k]);
      if (file) file->add_task(some[k], of_task[k]);
    }
  }
  operations.finish();
  if (cut != never) warn_of_the_end(context, cut);
  if (!file) return;
  const LinkWatch& links = loop.watched_links();
  for (std::size_t link = 0; link < links.links().size(); ++link)
    file->add_link(links.links()[link].name, links.values(link));
  if (!links.links().empty() && links.is_full())
    warn(context,
         "statistics.timeline_links has as many values as statistics.most_timeline allows, and none behind; use larger "
         "windows");
  for (const std::string& loss : file->finish())
    warn(context, fmt::format("statistics.timeline = \"{}\" is without {}", path, loss));
}

}  // namespace weft::tools
