// Kernel "mesh" (M2, M3): exchange of the borders with all neighbours, as stencil codes do in each iteration.
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/offsets.hpp"

namespace weft::workloads {
namespace {

/// Every task sends to all its neighbours, waits for all, and computes. On a torus of side 2 both directions lead to
/// the same neighbour, which gets two messages.
struct MeshPlan {
  Grid grid;
  u64 bytes;
  Diagonals diagonals;
  u32 repetitions;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u32 axes() const { return 2 * grid.dimensions; }
  u32 neighbours() const { return count_neighbours(grid.dimensions, diagonals); }
  u64 slots() const { return u64{2} * neighbours() + 1; }

  /// Sends: +x, -x, +y, -y, +z, -z, then the diagonals.
  Offset send_offset(u32 index) const { return neighbour_offset(grid.dimensions, diagonals, index); }
  /// Receives: +x, -x, +y, -y in up to two dimensions, +x, +y, +z, -x, -y, -z in three, then the diagonals.
  Offset receive_offset(u32 index) const {
    if (index >= axes() || grid.dimensions != 3) return send_offset(index);
    Offset offset{};
    offset[index % 3] = index < 3 ? 1 : -1;
    return offset;
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto index = static_cast<u32>(slot);
    if (index == 2 * neighbours()) return compute_op(computing);
    const bool sending = index < neighbours();
    const Offset offset = sending ? send_offset(index) : receive_offset(index - neighbours());
    const auto peer = neighbour_at(grid, task, offset);
    if (!peer) return {};
    return sending ? send_op(*peer, bytes) : receive_op(*peer, bytes);
  }
};

std::unique_ptr<Program> make_mesh(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  return planned_program("mesh " + grid.name(), spec.tasks,
                         MeshPlan{grid, spec.message_bytes, diagonals_of(spec), spec.repetitions, compute_ns(spec)});
}

KernelKind mesh_kind(const std::string& help, const std::vector<u32>& dimensions) {
  return {.help = help,
          .make = make_mesh,
          .dimensions = dimensions,
          .wrap = true,
          .diagonals = true,
          .settings = {kernel_row::compute_ns("computing after the receives."), kernel_row::diagonal_neighbours()}};
}

const bool mesh_registered =
    KernelRegistry::instance().add(
        "mesh", mesh_kind("send to all neighbours, wait for all; tasks: any shape of 1 to 3 dimensions", {2, 1, 3})) &&
    KernelRegistry::instance().add("M2", mesh_kind("mesh in 2 dimensions", {2})) &&
    KernelRegistry::instance().add("M3", mesh_kind("mesh in 3 dimensions", {3}));

}  // namespace
}  // namespace weft::workloads
