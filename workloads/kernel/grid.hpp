// The virtual mesh or torus, with the same number of tasks in each dimension, that many kernels arrange their tasks in.
#pragma once

#include <optional>
#include <string>

#include "engine/types.hpp"
#include "workloads/kernel/kernel.hpp"
#include "workloads/kernel/planned_program.hpp"

namespace weft::workloads {

/// task = x + side * y + side^2 * z ...
struct Grid {
  u32 side = 1;
  u32 dimensions = 1;
  bool wrap = false;

  /// The task `step` (+1 or -1) further in a dimension; none beyond the border of a mesh, or if it is the task itself.
  [[nodiscard]] std::optional<u32> neighbour(u32 task, u32 dimension, int step) const;
  /// The op to or from that neighbour; an empty slot if there is none.
  [[nodiscard]] Op send(u32 task, u32 dimension, int step, u64 bytes, u32 tag = 0) const;
  [[nodiscard]] Op receive(u32 task, u32 dimension, int step, u64 bytes, u32 tag = 0) const;
  /// "8x8", "4x4x4"
  [[nodiscard]] std::string name() const;
};

/// The grid of `spec.dimensions` dimensions that holds exactly `spec.tasks` tasks.
/// Throws ConfigError with the nearest valid counts if there is none.
[[nodiscard]] Grid task_grid(const KernelSpec& spec);

}  // namespace weft::workloads
