// What tasks without lanes did, as activities and intervals of the result: computing, sending, waiting, receiving.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/result/timeline/timeline_frame.hpp"
#include "tools/run/context.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::tools {

/// Puts records of jobs whose tasks have no activities of their own into RunResult::timeline, and what they are of into
/// RunResult::activities: "compute", "send", "wait", "receive", of calls and parts of composed collectives with their
/// name ("wait in MPI_Allreduce"). Operations of graphs that overlap are in lanes of their own. On rank 0, job by job.
class TimelineRows {
 public:
  TimelineRows(Context& context, const timeline::TimelineFrame& frame) : context_(context), frame_(frame) {}

  /// All records of a task of such a job; tasks in their order.
  void add_task(u32 task, const std::vector<workloads::TimelineRecord>& records);
  /// Cycles of activities become means over the tasks that were added.
  void finish();

 private:
  /// The activity of a name in a job, a row of RunResult::activities.
  [[nodiscard]] u64 activity(u64 job, const std::string& what, const std::string& region);

  Context& context_;
  const timeline::TimelineFrame& frame_;
  std::map<std::pair<u64, std::string>, u64> known_;  ///< row of (job, name)
  std::map<u64, u64> tasks_;                          ///< added, by job
};

}  // namespace weft::tools
