// Programs of any kind as operations with what they require, for writers of GOAL.
#pragma once

#include <utility>
#include <vector>

#include "workloads/program/program.hpp"

namespace weft::workloads {

/// Takes the operations of tasks, each in the order of their numbers, with what they require; that may have higher
/// numbers.
class GoalSink {
 public:
  virtual ~GoalSink() = default;
  virtual void begin(u32 task) = 0;
  virtual void operation(u32 number, const GraphOp& op) = 0;
  /// That `on` is complete, or (`start`) has started.
  virtual void requires_of(u32 number, u32 on, bool start) = 0;
  /// One of them suffices.
  virtual void requires_any(u32 number, const std::vector<std::pair<u32, bool>>& on) = 0;
  virtual void end() = 0;
};

/// Walks all tasks, one after the other. The operations of a linear program, or of a lane, require each the one before
/// (of one that is waited for later, that it has started); lanes are compute streams, and what waits for a mark or a
/// request requires the operation before the mark, or the request. Throws ConfigError (data combined by switches).
void walk_as_goal(const Program& program, GoalSink& sink);

}  // namespace weft::workloads
