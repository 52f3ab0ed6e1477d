// What is unlike from task to task, and from time to time, in how fast processors work.
#pragma once

#include <memory>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/program/noise.hpp"

namespace weft::workloads {

/// The processors of the tasks of a job.
struct Processors {
  static constexpr double most_factor = 1e6;

  std::vector<double> factors;         ///< [own number of a task] that its work takes times as long; empty: 1
  std::unique_ptr<const Noise> noise;  ///< none: there are no pauses

  /// When `work` ticks of work that begin at `begin` are over, at most last_tick. `task`: its number in its
  /// job.
  [[nodiscard]] Tick end_of(u32 task, Tick begin, Tick work) const;
  /// The least factor, at most 1: what is shorter than work is by itself.
  [[nodiscard]] double least_factor() const;
};

}  // namespace weft::workloads
