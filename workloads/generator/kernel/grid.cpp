// Neighbour arithmetic of the virtual mesh.
#include "workloads/generator/kernel/grid.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"

namespace weft::workloads {

std::optional<u32> Grid::neighbour(u32 task, u32 dimension, int step) const {
  const u32 distance = stride(dimension), side = sides[dimension];
  const u32 at = task / distance % side;
  const u32 last = step > 0 ? side - 1 : 0;
  if (at != last) return step > 0 ? task + distance : task - distance;
  if (!wrap || side == 1) return std::nullopt;
  return step > 0 ? task - at * distance : task + (side - 1) * distance;
}

Op Grid::send(u32 task, u32 dimension, int step, u64 bytes, u32 tag) const {
  const auto peer = neighbour(task, dimension, step);
  return peer ? send_op(*peer, bytes, tag) : Op{};
}

Op Grid::receive(u32 task, u32 dimension, int step, u64 bytes, u32 tag) const {
  const auto peer = neighbour(task, dimension, step);
  return peer ? receive_op(*peer, bytes, tag) : Op{};
}

std::string Grid::name() const {
  std::string text = std::to_string(sides[0]);
  for (u32 d = 1; d < dimensions; ++d) text += "x" + std::to_string(sides[d]);
  return text;
}

Grid task_grid(const KernelSpec& spec) {
  WEFT_ASSERT(spec.dimensions >= 1 && spec.dimensions <= Grid::most_dimensions);
  Grid grid;
  grid.dimensions = spec.dimensions;
  grid.wrap = spec.wrap;
  if (spec.shape.empty()) {
    std::ranges::copy(nearest_square_factors(spec.tasks, spec.dimensions), grid.sides.begin());
  } else {
    for (u32 d = 0; d < spec.dimensions; ++d) grid.sides[d] = static_cast<u32>(spec.shape[d]);
  }
  return grid;
}

}  // namespace weft::workloads
