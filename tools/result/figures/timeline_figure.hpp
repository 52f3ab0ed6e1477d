// The figure of what tasks did, and when.
#pragma once

#include <string>
#include <vector>

#include "tools/page/page.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// A figure of the kind "timeline" of records sorted as they like; `activities` are named by TimelineRow::activity.
/// `tasks`: names, [task]; those beyond are "task N". Records of other activities, and those that end before they begin
/// or are not finite, are left out; null where none is left.
[[nodiscard]] page::Json timeline_figure(page::Page& page, const std::vector<TimelineRow>& rows,
                                         const std::vector<std::string>& activities,
                                         const std::vector<std::string>& tasks = {});

/// The same of a run with statistics.timeline_tasks; of several jobs with the job in front of tasks and activities.
[[nodiscard]] page::Json timeline_figure(page::Page& page, const RunResult& result);

}  // namespace weft::tools
