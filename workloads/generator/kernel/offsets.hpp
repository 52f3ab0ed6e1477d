// Neighbours on the virtual mesh by how far away they are in each of up to three dimensions, and their order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "workloads/generator/kernel/grid.hpp"

namespace weft::workloads {

/// -1, 0 or 1 in each dimension.
using Offset = std::array<std::int8_t, 3>;

/// Neighbours in one dimension: +x, -x, +y, -y, +z, -z.
[[nodiscard]] inline Offset axis_offset(u32 index) {
  Offset offset{};
  offset[index / 2] = index % 2 == 0 ? 1 : -1;
  return offset;
}

/// All offsets of a grid but that of the task itself: 3^dimensions - 1.
[[nodiscard]] inline u32 all_offsets(u32 dimensions) { return dimensions == 3 ? 26 : dimensions == 2 ? 8 : 2; }

/// The offset number `index` among those with several coordinates other than 0, x changing fastest, + before 0 and -.
/// The opposite one is as far from the end of the list as this is from its begin.
[[nodiscard]] inline Offset diagonal_offset(u32 dimensions, u32 index) {
  for (u32 code = 0; code <= all_offsets(dimensions); ++code) {
    Offset offset{};
    u32 moves = 0;
    for (u32 d = 0, rest = code; d < dimensions; ++d, rest /= 3) {
      offset[d] = static_cast<std::int8_t>(1 - static_cast<int>(rest % 3));
      moves += offset[d] != 0 ? 1 : 0;
    }
    if (moves >= 2 && index-- == 0) return offset;
  }
  return {};
}

/// Neighbours in one dimension first, then the diagonals.
[[nodiscard]] inline Offset any_offset(u32 dimensions, u32 index) {
  const u32 axes = 2 * dimensions;
  return index < axes ? axis_offset(index) : diagonal_offset(dimensions, index - axes);
}

/// Which neighbours a task has besides those in one dimension.
enum class Diagonals : u8 {
  none,
  all,       ///< that differ in several coordinates
  corners,   ///< that differ in all of them
  positive,  ///< the two that differ by +1, or by -1, in all of them
};

[[nodiscard]] inline u32 count_diagonals(u32 dimensions, Diagonals diagonals) {
  if (diagonals == Diagonals::none || dimensions < 2) return 0;
  if (diagonals == Diagonals::positive) return 2;
  return diagonals == Diagonals::corners ? 1U << dimensions : all_offsets(dimensions) - 2 * dimensions;
}

[[nodiscard]] inline u32 count_neighbours(u32 dimensions, Diagonals diagonals) {
  return 2 * dimensions + count_diagonals(dimensions, diagonals);
}
/// Neighbours of a kind in their order; each list of diagonals has the opposite of its first one at its end.
[[nodiscard]] inline Offset neighbour_offset(u32 dimensions, Diagonals diagonals, u32 index) {
  const u32 axes = 2 * dimensions;
  if (index < axes || diagonals == Diagonals::all) return any_offset(dimensions, index);
  const u32 place = index - axes;
  Offset offset{};
  for (u32 d = 0; d < dimensions; ++d) {
    const bool down = diagonals == Diagonals::positive ? place == 1 : (place >> d & 1) != 0;
    offset[d] = down ? -1 : 1;
  }
  return offset;
}

/// The task at an offset; none beyond the border of a mesh.
[[nodiscard]] inline std::optional<u32> neighbour_at(const Grid& grid, u32 task, const Offset& offset) {
  std::optional<u32> peer = task;
  for (u32 d = 0; d < grid.dimensions && peer; ++d) {
    if (offset[d] != 0) peer = grid.neighbour(*peer, d, offset[d]);
  }
  return peer;
}

}  // namespace weft::workloads
