// Reads timelines in columns; see the header.
#include "tools/result/timeline/timeline_reader.hpp"

#include <fmt/format.h>
#include <type_traits>

#include "tools/result/timeline/record_columns.hpp"

namespace weft::tools::timeline {

using workloads::TimelineRecord;

TimelineReader::TimelineReader(const std::string& path) : file_(path) {
  std::string format;
  file_.attribute("format", format);
  if (format != columns_format) file_.fail(fmt::format("its format is '{}', not '{}'", format, columns_format));
  file_.attribute("title", frame_.title);
  file_.scalar("/clock/tick_ns", frame_.tick_ns);
  file_.scalar("/clock/ticks_per_cycle", frame_.ticks_per_cycle);
  file_.scalar("/clock/end", frame_.end);
  file_.scalar("/clock/cut", frame_.cut);
  file_.scalar("/records/blocks", blocks_);
  if (frame_.ticks_per_cycle == 0 || !(frame_.tick_ns >= 0)) file_.fail("its clock does not go");
  read_jobs();
}

void TimelineReader::read_jobs() {
  std::vector<std::string> names, programs, region_names;
  std::vector<u64> first, tasks, linear, rendezvous, of_job, communicates;
  file_.column("/jobs/name", names);
  file_.column("/jobs/program", programs);
  file_.column("/jobs/first_task", first);
  file_.column("/jobs/tasks", tasks);
  file_.column("/jobs/linear", linear);
  file_.column("/jobs/rendezvous_bytes", rendezvous);
  file_.column("/regions/job", of_job);
  file_.column("/regions/name", region_names);
  file_.column("/regions/communicates", communicates);
  for (const std::size_t length : {programs.size(), first.size(), tasks.size(), linear.size(), rendezvous.size()}) {
    if (length != names.size()) file_.fail("its columns of jobs differ in length");
  }
  if (of_job.size() != region_names.size() || of_job.size() != communicates.size())
    file_.fail("its columns of regions differ in length");
  u64 next = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    constexpr u64 most_tasks = u64{1} << 30;
    if (first[j] != next || tasks[j] > most_tasks - next) file_.fail("its jobs do not follow each other");
    next += tasks[j];
    frame_.jobs.push_back({names[j],
                           programs[j],
                           {},
                           static_cast<u32>(first[j]),
                           static_cast<u32>(tasks[j]),
                           linear[j] != 0,
                           rendezvous[j]});
  }
  if (next == 0) file_.fail("it is of no tasks");
  for (std::size_t r = 0; r < of_job.size(); ++r) {
    if (of_job[r] >= frame_.jobs.size()) file_.fail("it has a region of no job");
    frame_.jobs[of_job[r]].regions.push_back({region_names[r], communicates[r] != 0});
  }
}

std::vector<TimelineRecord> TimelineReader::block(u64 number) const {
  std::vector<TimelineRecord> records;
  bool is_first = true;
  visit_record_columns([&](const char* name, auto member, const char*) {
    std::vector<u64> values;
    file_.column(fmt::format("/records/{}/{}", number, name), values);
    if (is_first) records.resize(values.size());
    is_first = false;
    if (values.size() != records.size()) file_.fail("its columns of records differ in length");
    for (std::size_t ix = 0; ix < values.size(); ++ix) {
      using Value = std::remove_reference_t<decltype(records[ix].*member)>;
      records[ix].*member = static_cast<Value>(values[ix]);
    }
  });
  const u32 tasks = frame_.jobs.back().first_task + frame_.jobs.back().tasks;
  u32 task = 0;
  for (const TimelineRecord& r : records) {
    const bool sound = r.task < tasks && r.task >= task && r.begin <= r.handled && r.handled <= r.end &&
                       static_cast<std::size_t>(r.kind) < record_kinds.size();
    if (!sound) file_.fail("it has records that cannot be");
    task = r.task;
  }
  return records;
}

void TimelineReader::each_task(const OfTask& f) const {
  for (u64 number = 0; number < blocks_; ++number) {
    const std::vector<TimelineRecord> records = block(number);
    for (std::size_t begin = 0; begin < records.size();) {
      std::size_t end = begin;
      while (end < records.size() && records[end].task == records[begin].task) ++end;
      f(records[begin].task, std::span(records).subspan(begin, end - begin));
      begin = end;
    }
  }
}

}  // namespace weft::tools::timeline
