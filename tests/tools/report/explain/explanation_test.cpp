// What records of tasks add up to, whose waits they are, and which path leads to the end: on timelines made by hand.
#include "tools/report/explain/explanation.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/result/timeline/timeline_file.hpp"

namespace weft::tools::explain {
namespace {

using workloads::TimelineRecord;
using Kind = TimelineRecord::Kind;

TimelineRecord record_of(u32 task, Kind kind, Tick begin, Tick end) {
  TimelineRecord record;
  record.task = task;
  record.kind = kind;
  record.begin = record.arrived = begin;
  record.end = record.handled = end;
  return record;
}

u64 message(u32 sender, u32 number) { return (u64{sender} << 32 | number) + 1; }

TimelineRecord sends(u32 task, u32 to, Tick begin, Tick end, u32 number) {
  TimelineRecord record = record_of(task, Kind::send, begin, end);
  record.peer = to;
  record.flow = message(task, number);
  return record;
}

TimelineRecord receives(u32 task, u32 from, Tick begin, Tick handled, Tick end, u32 number) {
  TimelineRecord record = record_of(task, Kind::receive, begin, end);
  record.peer = from;
  record.arrived = record.handled = handled;
  record.flow = message(from, number);
  return record;
}

/// Writes a timeline of one job and explains it.
std::vector<JobExplanation> explained(const std::vector<std::vector<TimelineRecord>>& tasks, bool linear = true,
                                      u64 most_drawn = 100) {
  const ScratchFolder scratch;
  timeline::TimelineFrame frame;
  frame.tick_ns = 1;
  frame.jobs.push_back({"", "by hand", {}, 0, static_cast<u32>(tasks.size()), linear, 0});
  const auto file = timeline::open_timeline(scratch.file("t.h5"), frame);
  for (u32 task = 0; task < tasks.size(); ++task) file->add_task(task, tasks[task]);
  file->finish();
  return explain(timeline::TimelineReader(scratch.file("t.h5")), most_drawn);
}

TEST(Explanation, TellsALateSenderFromATransferAndFollowsTheMessageBack) {
  const JobExplanation job = explained({{record_of(0, Kind::compute, 0, 50), sends(0, 1, 50, 60, 0)},
                                        {receives(1, 0, 0, 80, 85, 0), record_of(1, Kind::compute, 85, 100)}})
                                 .front();
  EXPECT_EQ(job.tasks[1].of(Part::late_sender), 50U);
  EXPECT_EQ(job.tasks[1].of(Part::transfer), 30U);
  EXPECT_EQ(job.tasks[1].of(Part::receive), 5U);
  EXPECT_EQ(job.tasks[0].of(Part::idle), 40U);
  ASSERT_EQ(job.pairs.size(), 1U);
  EXPECT_EQ(job.pairs[0].waits.waits(), 80U);
  EXPECT_EQ(job.path_parts().of(Part::compute), 65U);
  EXPECT_EQ(job.path_parts().sum(), 100U);
  EXPECT_EQ(job.path[1].from, 0U);
  EXPECT_EQ(job.drawn.size(), 6U);
}

TEST(Explanation, CountsAMomentOfSeveralOperationsOnce) {
  // Two receives are open while the task computes; the one that is over first counts where it does not.
  const JobExplanation job =
      explained({{sends(0, 1, 0, 0, 0), sends(0, 1, 0, 0, 1)},
                 {receives(1, 0, 0, 70, 70, 0), receives(1, 0, 0, 40, 40, 1), record_of(1, Kind::compute, 10, 30)}},
                false)
          .front();
  EXPECT_EQ(job.tasks[1].of(Part::compute), 20U);
  EXPECT_EQ(job.tasks[1].of(Part::transfer), 50U);
  EXPECT_EQ(job.tasks[1].sum(), 70U);
}

TEST(Explanation, WaitsForTheLastThatGaveASwitchItsChunk) {
  const auto chunk = [](Kind kind, u32 task, Tick begin, Tick end) {
    TimelineRecord record = record_of(task, kind, begin, end);
    record.peer = 0;
    return record;
  };
  const JobExplanation job =
      explained({{chunk(Kind::give, 0, 0, 0), chunk(Kind::get, 0, 0, 90)},
                 {record_of(1, Kind::compute, 0, 60), chunk(Kind::give, 1, 60, 60), chunk(Kind::get, 1, 60, 90)}})
          .front();
  EXPECT_EQ(job.tasks[0].of(Part::late_sender), 60U);
  EXPECT_EQ(job.tasks[0].of(Part::transfer), 30U);
  ASSERT_FALSE(job.pairs.empty());
  EXPECT_EQ(job.pairs[0].peer, 1U);
  EXPECT_EQ(job.path_parts().of(Part::compute), 60U);
}

TEST(Explanation, LeavesOutOfTheTimelineWhatIsTooMuch) {
  const auto jobs = explained({{record_of(0, Kind::compute, 0, 50)}, {record_of(1, Kind::compute, 0, 40)}}, true, 1);
  EXPECT_EQ(jobs.front().drawn.size(), 1U);
  EXPECT_FALSE(jobs.front().drawn_whole);
}

TEST(Explanation, RefusesAFileThatIsNoTimeline) {
  const ScratchFolder scratch;
  put(scratch.file("x.h5"), "nothing of the kind");
  EXPECT_THROW(timeline::TimelineReader(scratch.file("x.h5")), InputError);
  // Records of tasks that there are not.
  timeline::TimelineFrame frame;
  frame.jobs.push_back({"", "by hand", {}, 0, 1, true, 0});
  const auto file = timeline::open_timeline(scratch.file("y.h5"), frame);
  file->add_task(3, {record_of(3, Kind::compute, 0, 50)});
  file->finish();
  EXPECT_THROW(static_cast<void>(explain(timeline::TimelineReader(scratch.file("y.h5")))), InputError);
}

}  // namespace
}  // namespace weft::tools::explain
