// The figure of what tasks did, and when.
#pragma once

#include <string>
#include <vector>

#include "tools/report/page/page.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// A stretch of the path that a timeline figure shows: in a row, or from one to another. Cycles.
struct PathStretch {
  double begin = 0, end = 0;
  u32 from = 0, task = 0;
};

/// What a timeline figure may show besides its records.
struct TimelineExtras {
  std::vector<u32> peers = {};         ///< [record]: the task that it waits for, ~0: nobody; empty: not known
  std::vector<PathStretch> path = {};  ///< in order of time; empty: none
};

/// A figure of the kind "timeline" of records sorted as they like; `activities` are named by TimelineRow::activity.
/// `tasks`: names, [task]; those beyond are "task N". Records of other activities, and those that end before they begin
/// or are not finite, are left out; null where none is left.
[[nodiscard]] page::Json timeline_figure(page::Page& page, const std::vector<TimelineRow>& rows,
                                         const std::vector<std::string>& activities,
                                         const std::vector<std::string>& tasks = {}, const TimelineExtras& extras = {});

/// The figure of a run with statistics.timeline_tasks; of several jobs with the job in front of tasks and activities.
[[nodiscard]] page::Json timeline_figure(page::Page& page, const RunResult& result);

}  // namespace weft::tools
