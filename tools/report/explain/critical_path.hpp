// The chain of operations and messages that a run could not end without.
#pragma once

#include <vector>

#include "tools/report/explain/pieces.hpp"

namespace weft::tools::explain {

/// Steps of all tasks of a job, and the walk back through them.
class CriticalPath {
 public:
  CriticalPath(u32 first_task, u32 tasks) : first_(first_task), steps_(tasks) {}
  /// All steps of a task; takes them.
  void add_task(u32 task, std::vector<Step> steps);
  /// From the end of `task` at `end` back to `begin`: stretches of time without gaps, in order of time. Tasks are
  /// numbered in the job.
  [[nodiscard]] std::vector<PathSegment> walk(u32 task, Tick begin, Tick end) const;

 private:
  u32 first_;
  std::vector<std::vector<Step>> steps_;  ///< [task] by their end; of those that end together, what goes before last
};

}  // namespace weft::tools::explain
