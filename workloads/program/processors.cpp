// Factors of tasks, then pauses.
#include "workloads/program/processors.hpp"

#include <algorithm>

#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

Tick Processors::end_of(u32 task, Tick begin, Tick work) const {
  if (!factors.empty()) {
    const double scaled = static_cast<double>(work) * factors[task];
    work = scaled < static_cast<double>(last_tick) ? static_cast<Tick>(scaled) : last_tick;
  }
  if (noise) return noise->end_of(task, begin, work);
  return work == 0 ? begin : std::min(begin + work, std::max(begin, last_tick));
}

double Processors::least_factor() const {
  return factors.empty() ? 1.0 : std::min(1.0, *std::ranges::min_element(factors));
}

}  // namespace weft::workloads
