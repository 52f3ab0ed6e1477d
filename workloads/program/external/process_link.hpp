// The line to a process outside of the simulator, as the task that it runs as sees it.
#pragma once

#include <span>

#include "engine/base/types.hpp"
#include "workloads/program/external/command.hpp"

namespace weft::workloads {

class ProcessLink {
 public:
  virtual ~ProcessLink() = default;
  /// The next step of the process; waits for it. Throws StuckError or SystemError if there will be none.
  virtual Command take() = 0;
  /// Answers the step that was taken last.
  virtual void answer(const Answer& answer, std::span<const Completion> completions) = 0;
  /// Most completions in an answer.
  [[nodiscard]] virtual u32 most_completions() const = 0;
};

}  // namespace weft::workloads
