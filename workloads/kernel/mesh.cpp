// Kernel "mesh" (M2, M3): exchange of the borders with all neighbours, as stencil codes do in each iteration.
#include <array>

#include "workloads/kernel/grid.hpp"

namespace weft::workloads {
namespace {

/// Every task sends to all its neighbours, then waits for all. On a torus of side 2 both directions lead to the same
/// neighbour, which gets two messages.
struct MeshPlan {
  Grid grid;
  u64 bytes;
  bool diagonals;
  u32 repetitions;

  using Offset = std::array<int, 3>;

  u32 rounds() const { return repetitions; }
  u32 axes() const { return 2 * grid.dimensions; }
  u32 cube() const { return grid.dimensions == 3 ? 27 : 9; }
  u32 neighbours() const { return diagonals ? cube() - 1 : axes(); }
  u64 slots() const { return u64{2} * neighbours(); }

  /// Sends: +x, -x, +y, -y, +z, -z, then the diagonals.
  Offset send_offset(u32 index) const {
    if (index >= axes()) return diagonal(index - axes());
    Offset offset{};
    offset[index / 2] = index % 2 == 0 ? 1 : -1;
    return offset;
  }
  /// Receives: +x, -x, +y, -y in two dimensions, +x, +y, +z, -x, -y, -z in three, then the diagonals.
  Offset receive_offset(u32 index) const {
    if (index >= axes() || grid.dimensions != 3) return send_offset(index);
    Offset offset{};
    offset[index % 3] = index < 3 ? 1 : -1;
    return offset;
  }
  /// The offset number `index` among those with several coordinates other than 0, x changing fastest, + before 0 and -.
  Offset diagonal(u32 index) const {
    for (u32 code = 0; code < cube(); ++code) {
      Offset offset{};
      u32 moves = 0;
      for (u32 d = 0, rest = code; d < grid.dimensions; ++d, rest /= 3) {
        offset[d] = 1 - static_cast<int>(rest % 3);
        moves += offset[d] != 0 ? 1 : 0;
      }
      if (moves >= 2 && index-- == 0) return offset;
    }
    return {};
  }
  std::optional<u32> neighbour(u32 task, const Offset& offset) const {
    std::optional<u32> peer = task;
    for (u32 d = 0; d < grid.dimensions && peer; ++d) {
      if (offset[d] != 0) peer = grid.neighbour(*peer, d, offset[d]);
    }
    return peer;
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto index = static_cast<u32>(slot);
    const bool sending = index < neighbours();
    const auto peer = neighbour(task, sending ? send_offset(index) : receive_offset(index - neighbours()));
    if (!peer) return {};
    return sending ? send_op(*peer, bytes) : receive_op(*peer, bytes);
  }
};

std::unique_ptr<Program> make_mesh(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  return planned_program("mesh " + grid.name(), spec.tasks,
                         MeshPlan{grid, spec.message_bytes, spec.diagonals, spec.repetitions});
}

KernelKind mesh_kind(const std::string& help, const std::vector<u32>& dimensions) {
  return {.help = help, .make = make_mesh, .dimensions = dimensions, .wrap = true, .diagonals = true};
}

const bool mesh_registered =
    KernelRegistry::instance().add(
        "mesh", mesh_kind("send to all neighbours, wait for all; tasks: a square or a cube", {2, 3})) &&
    KernelRegistry::instance().add("M2", mesh_kind("mesh in 2 dimensions", {2})) &&
    KernelRegistry::instance().add("M3", mesh_kind("mesh in 3 dimensions", {3}));

}  // namespace
}  // namespace weft::workloads
