// Neighbour arithmetic of the virtual mesh, and the checks of the task counts of kernels.
#include "workloads/kernel/grid.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "workloads/kernel/sizes.hpp"

namespace weft::workloads {

std::optional<u32> Grid::neighbour(u32 task, u32 dimension, int step) const {
  u32 stride = 1;
  for (u32 d = 0; d < dimension; ++d) stride *= side;
  const u32 place = task / stride % side;
  const u32 last = step > 0 ? side - 1 : 0;
  if (place != last) return step > 0 ? task + stride : task - stride;
  if (!wrap || side == 1) return std::nullopt;
  return step > 0 ? task - place * stride : task + (side - 1) * stride;
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
  std::string text = std::to_string(side);
  for (u32 d = 1; d < dimensions; ++d) text += "x" + std::to_string(side);
  return text;
}

Grid task_grid(const KernelSpec& spec) {
  const auto side = exact_root(spec.tasks, spec.dimensions);
  if (!side) {
    throw ConfigError(fmt::format(
        "workload.tasks = {} does not fit kernel \"{}\" (its tasks form a mesh of {} equal dimensions); use {} tasks",
        spec.tasks, spec.name, spec.dimensions, nearest_powers(spec.tasks, spec.dimensions)));
  }
  return {*side, spec.dimensions, spec.wrap};
}

}  // namespace weft::workloads
