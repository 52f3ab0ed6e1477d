// The virtual mesh or torus that many kernels arrange their tasks in.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/base/types.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {

/// task = x + sides[0] * y + sides[0] * sides[1] * z ...
struct Grid {
  static constexpr u32 most_dimensions = 6;

  std::array<u32, most_dimensions> sides{1, 1, 1, 1, 1, 1};  ///< 1 in dimensions that it does not have
  u32 dimensions = 1;
  bool wrap = false;

  /// Coordinate of a task.
  [[nodiscard]] u32 place(u32 task, u32 dimension) const { return task / stride(dimension) % sides[dimension]; }
  /// How far the numbers of neighbours are apart.
  [[nodiscard]] u32 stride(u32 dimension) const {
    u32 result = 1;
    for (u32 d = 0; d < dimension; ++d) result *= sides[d];
    return result;
  }
  /// The task `step` (+1 or -1) further in a dimension; none beyond the border of a mesh, or if it is the task itself.
  [[nodiscard]] std::optional<u32> neighbour(u32 task, u32 dimension, int step) const;
  /// The op to or from that neighbour; an empty slot if there is none.
  [[nodiscard]] Op send(u32 task, u32 dimension, int step, u64 bytes, u32 tag = 0) const;
  [[nodiscard]] Op receive(u32 task, u32 dimension, int step, u64 bytes, u32 tag = 0) const;
  /// "8x8", "4x4x4"
  [[nodiscard]] std::string name() const;
};

/// The grid of `spec.shape`, or, where that is empty, the most nearly square one of `spec.dimensions` dimensions.
[[nodiscard]] Grid task_grid(const KernelSpec& spec);

}  // namespace weft::workloads
