// Walks back from what ends last; see the header.
#include "tools/report/explain/critical_path.hpp"

#include <algorithm>

namespace weft::tools::explain {
namespace {

/// Where several steps of a task end together, what the task did goes before what it waited for, what somebody else
/// ended before the rest, and of that a time of the outside world before another lane, which waited for it.
int precedence(const Step& step, u32 task) {
  const bool led = step.task != task || step.from != step.begin;
  if (step.part <= Part::receive && !led) return 3;
  if (led) return 2;
  return step.part == Part::idle ? 1 : 0;
}

}  // namespace

void CriticalPath::add_task(u32 task, std::vector<Step> steps) {
  std::ranges::stable_sort(
      steps, {}, [task](const Step& step) { return std::tuple(step.end, precedence(step, task), step.begin); });
  steps.shrink_to_fit();
  steps_[task - first_] = std::move(steps);
}

std::vector<PathSegment> CriticalPath::walk(u32 task, Tick begin, Tick end) const {
  std::vector<PathSegment> path;
  const auto add = [&](Tick from, Tick to, u32 at, u32 cause, Part part) {
    from = std::max(from, begin);
    if (to <= from) return;
    const bool goes_on = !path.empty() && path.back().part == part && path.back().task == at &&
                         path.back().from == at && cause == at && path.back().begin == to;
    if (goes_on) {
      path.back().begin = from;
    } else {
      path.push_back({from, to, at, cause, part});
    }
  };
  u32 at = task;
  for (Tick now = end; now > begin;) {
    const std::vector<Step>& steps = steps_[at];
    const auto after = std::ranges::upper_bound(steps, now, {}, &Step::end);
    if (after == steps.begin()) {
      add(begin, now, at, at, Part::idle);
      break;
    }
    const Step& step = *(after - 1);
    add(step.end, now, at, at, Part::idle);
    const u32 cause = step.task - first_;
    add(step.from, step.end, at, cause, step.part);
    now = step.from;
    at = cause;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace weft::tools::explain
