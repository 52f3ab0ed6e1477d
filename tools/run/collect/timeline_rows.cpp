// From records of operations to rows of the result; see the header.
#include "tools/run/collect/timeline_rows.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "tools/result/timeline/slices.hpp"

namespace weft::tools {

using workloads::TimelineRecord;

namespace {

constexpr const char* outside_name = "wait for a time";

/// What a slice of an operation is, whoever its partner is.
const char* what_of(const timeline::Slice& slice) {
  switch (slice.record->kind) {
    case TimelineRecord::Kind::compute:
      return "compute";
    case TimelineRecord::Kind::outside:
      return outside_name;
    case TimelineRecord::Kind::send:
    case TimelineRecord::Kind::await:
    case TimelineRecord::Kind::give:
      return "send";
    case TimelineRecord::Kind::receive:
    case TimelineRecord::Kind::get:
      return slice.begin < slice.record->handled ? "wait" : "receive";
    default:
      return "wait";
  }
}

}  // namespace

u64 TimelineRows::activity(u64 job, const std::string& what, const std::string& region) {
  const std::string name = region.empty() ? what : fmt::format("{} in {}", what, region);
  const auto [at, fresh] = known_.try_emplace({job, name}, 0);
  if (!fresh) return at->second;
  std::vector<ActivityRow>& rows = context_.result.activities;
  // Rows are in the order of jobs, and those of later jobs have not been asked for.
  const auto place = std::ranges::upper_bound(rows, job, {}, &ActivityRow::job);
  at->second = static_cast<u64>(place - rows.begin());
  rows.insert(place, ActivityRow{.name = name,
                                 .communicates = what != "compute" && what != outside_name,
                                 .cycles = 0,
                                 .side_cycles = 0,
                                 .messages = 0,
                                 .bytes = 0,
                                 .job = job,
                                 .outside = what == outside_name});
  return at->second;
}

void TimelineRows::add_task(u32 task, const std::vector<TimelineRecord>& records) {
  const timeline::TimelineJob& in = frame_.job_of(task);
  const u64 job = static_cast<u64>(&in - frame_.jobs.data());
  ++tasks_[job];
  u64 lane = 0;
  for (const timeline::SliceRow& row : timeline::rows_of(records, in)) {
    std::vector<const timeline::Slice*> regions;
    for (const timeline::Slice& slice : row.slices) {
      if (slice.record == nullptr) continue;
      while (!regions.empty() && regions.back()->end <= slice.begin) regions.pop_back();
      if (slice.is_region) {
        regions.push_back(&slice);
        continue;
      }
      if (slice.end <= slice.begin && slice.flow != timeline::Slice::Flow::begins) continue;
      const u64 of = activity(job, what_of(slice), regions.empty() ? "" : regions.back()->name);
      ActivityRow& counts = context_.result.activities[of];
      if (slice.flow == timeline::Slice::Flow::begins) {
        ++counts.messages;
        counts.bytes += slice.record->bytes;
      }
      if (slice.end <= slice.begin) continue;
      const double from = context_.cycles(slice.begin), to = context_.cycles(slice.end);
      counts.cycles += to - from;
      context_.result.timeline.push_back({task, lane, of, from, to});
    }
    ++lane;
  }
}

void TimelineRows::finish() {
  for (const auto& [name, row] : known_)
    context_.result.activities[row].cycles /= static_cast<double>(std::max<u64>(1, tasks_[name.first]));
}

}  // namespace weft::tools
