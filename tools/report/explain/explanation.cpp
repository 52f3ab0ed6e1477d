// Two passes over a timeline: both sides of messages, then what each task's time goes to; see the header.
#include "tools/report/explain/explanation.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "tools/report/explain/critical_path.hpp"
#include "tools/report/explain/shares.hpp"

namespace weft::tools::explain {
namespace {

using timeline::TimelineJob;
using workloads::TimelineRecord;

/// A job while its tasks are read.
class JobReader {
 public:
  JobReader(const TimelineJob& job, u32 number, const Messages& messages)
      : job_(job), number_(number), messages_(messages), path_(job.first_task, job.tasks) {
    result_.name = job.name;
    result_.begin = never;
    result_.tasks.resize(job.tasks);
  }

  void add_task(u32 task, std::span<const TimelineRecord> records, u64 most_drawn) {
    TaskPieces made = pieces_of(records, job_, number_, messages_);
    TaskShares shares = shares_of(made.pieces);
    if (made.pieces.empty()) return;
    if (job_.linear && !job_.regions.empty()) add_calls(shares, made.pieces, records);
    const u32 own = task - job_.first_task;
    result_.begin = std::min(result_.begin, shares.begin);
    if (shares.end > result_.end) {
      result_.end = shares.end;
      last_ = task;
    }
    result_.tasks[own] = shares.parts;
    for (const auto& [peer, waits] : shares.waits) result_.pairs.push_back({own, peer - job_.first_task, waits});
    for (const auto& [call, parts] : shares.calls) calls_[call].add(parts);
    path_.add_task(task, std::move(made.steps));
    draw(own, made.pieces, most_drawn);
  }

  JobExplanation finish() {
    if (result_.begin == never) result_.begin = 0;
    for (Parts& parts : result_.tasks) parts.of(Part::idle) += result_.time() - parts.sum();
    for (const auto& [call, parts] : calls_)
      result_.calls.push_back({call < job_.regions.size() ? job_.regions[call].name : "", parts});
    std::ranges::stable_sort(result_.calls, std::greater{}, [](const CallTime& call) { return call.parts.waits(); });
    if (result_.time() > 0) result_.path = path_.walk(last_ - job_.first_task, result_.begin, result_.end);
    return std::move(result_);
  }

 private:
  void draw(u32 task, const std::vector<Piece>& pieces, u64 most_drawn) {
    if (result_.drawn.size() + pieces.size() > most_drawn) {
      result_.drawn_whole = false;
      return;
    }
    for (const Piece& piece : pieces) {
      if (piece.part == Part::idle) continue;
      const bool known = piece.peer != Drawn::nobody;
      result_.drawn.push_back(
          {piece.begin, piece.end, task, known ? piece.peer - job_.first_task : Drawn::nobody, piece.lane, piece.part});
    }
  }

  const TimelineJob& job_;
  u32 number_;
  const Messages& messages_;
  JobExplanation result_;
  CriticalPath path_;
  std::map<u32, Parts> calls_;
  u32 last_ = 0;  ///< the task that is over last, the first of several
};

}  // namespace

Tick Parts::sum() const { return std::accumulate(ticks.begin(), ticks.end(), Tick{0}); }

void Parts::add(const Parts& more) {
  for (std::size_t part = 0; part < part_count; ++part) ticks[part] += more.ticks[part];
}

Parts JobExplanation::all_tasks() const {
  Parts all;
  for (const Parts& parts : tasks) all.add(parts);
  return all;
}

Parts JobExplanation::path_parts() const {
  Parts all;
  for (const PathSegment& segment : path) all.of(segment.part) += segment.end - segment.begin;
  return all;
}

std::vector<JobExplanation> explain(const timeline::TimelineReader& timeline, u64 most_drawn) {
  const timeline::TimelineFrame& frame = timeline.frame();
  Messages messages(frame);
  timeline.each_task([&](u32 task, std::span<const TimelineRecord> records) { messages.add_task(task, records); });
  messages.finish();
  std::vector<JobReader> jobs;
  jobs.reserve(frame.jobs.size());
  for (u32 number = 0; number < frame.jobs.size(); ++number) jobs.emplace_back(frame.jobs[number], number, messages);
  timeline.each_task([&](u32 task, std::span<const TimelineRecord> records) {
    jobs[static_cast<std::size_t>(&frame.job_of(task) - frame.jobs.data())].add_task(task, records, most_drawn);
  });
  std::vector<JobExplanation> result;
  result.reserve(jobs.size());
  for (JobReader& job : jobs) result.push_back(job.finish());
  return result;
}

}  // namespace weft::tools::explain
