// Timelines of tasks: statistics.timeline, and what the result has of tasks with lanes.
#pragma once

#include <string>
#include <vector>

#include "tools/run/context.hpp"
#include "tools/run/run_loop.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::tools {

/// What [statistics] asks to be recorded of a run of so many tasks. Throws ConfigError for tasks that are not there.
[[nodiscard]] workloads::TimelineSpec timeline_spec(const Context& context, u32 tasks);

/// A job, or all of a run without jobs (then its name is empty).
struct TimelineOf {
  std::string name;
  const workloads::Program* program = nullptr;
};

/// Writes statistics.timeline on rank 0, and puts what statistics.timeline_tasks did into the result; after
/// collect_activities and RunLoop::finish. The file is the same on any number of ranks. Jobs have their tasks one
/// after the other. Collective.
void collect_timeline(Context& context, const RunLoop& loop, const workloads::Timeline& mine,
                      const std::vector<TimelineOf>& jobs);

}  // namespace weft::tools
