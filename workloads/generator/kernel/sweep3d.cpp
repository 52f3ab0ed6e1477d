// Kernel "sweep3d": discrete-ordinates transport by wave-fronts in blocks of planes and angles (Koch-Baker-Alcouffe).
// After Hoisie, Lubeck, Wasserman: Performance and scalability analysis of teraflop-scale parallel architectures using
// multidimensional wavefront applications, International Journal of High Performance Computing Applications 14(4),
// 2000; the order of corners is that of Ember's motif Sweep3D.
#include <algorithm>
#include <fmt/format.h>

#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Sweeps over a mesh of columns: from each corner two, up and down along z. In each, angle block after angle block and
/// in these block of planes after block of planes: wait for x, for y, compute, send to x, to y; tag: the octant.
struct SweepPlan {
  Grid grid;
  u64 x_bytes = 0, y_bytes = 0;  ///< of a plane and an angle
  u32 planes = 1, block_planes = 1, angles = 1, block_angles = 1;
  u64 computing = 0;  ///< of a whole block
  u32 repetitions = 1;

  static constexpr u32 octants = 8, steps = 5;

  u32 plane_blocks() const { return (planes - 1) / block_planes + 1; }
  u32 angle_blocks() const { return (angles - 1) / block_angles + 1; }
  u64 blocks() const { return u64{plane_blocks()} * angle_blocks(); }
  u32 rounds() const { return repetitions; }
  u64 slots() const { return octants * blocks() * steps; }
  /// Planes times angles of a block; the last ones have what is left.
  u64 share(u32 octant, u64 block) const {
    const u32 along = static_cast<u32>(block % plane_blocks());
    const u32 plane_block = octant % 2 == 0 ? along : plane_blocks() - 1 - along;
    const u32 angle_block = static_cast<u32>(block / plane_blocks());
    return u64{std::min(block_planes, planes - plane_block * block_planes)} *
           std::min(block_angles, angles - angle_block * block_angles);
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto octant = static_cast<u32>(slot / steps / blocks());
    const u64 part = share(octant, slot / steps % blocks());
    const u32 corner = octant / 2;
    const int x = corner == 0 || corner == 3 ? 1 : -1, y = corner < 2 ? 1 : -1;
    switch (slot % steps) {
      case 0:
        return grid.receive(task, 0, -x, x_bytes * part, octant);
      case 1:
        return grid.receive(task, 1, -y, y_bytes * part, octant);
      case 2:
        return compute_op(static_cast<u64>(static_cast<u128>(computing) * part / (u64{block_planes} * block_angles)));
      case 3:
        return grid.send(task, 0, x, x_bytes * part, octant);
      default:
        return grid.send(task, 1, y, y_bytes * part, octant);
    }
  }
};

std::unique_ptr<Program> make_sweep3d(const KernelSpec& spec) {
  constexpr i64 fallback = 50;
  const std::vector<i64> block = sides_of(spec, "block", 3, fallback);
  const i64 element = spec.keys.integer("element_bytes");
  SweepPlan plan;
  plan.grid = task_grid(spec);
  plan.planes = static_cast<u32>(block[2]);
  plan.block_planes = std::min(plan.planes, static_cast<u32>(spec.keys.integer("k_block")));
  plan.angles = static_cast<u32>(spec.keys.integer("angles"));
  plan.block_angles = std::min(plan.angles, static_cast<u32>(spec.keys.integer("angle_block")));
  for (const u32 across : {1U, 0U}) {
    const std::vector<i64> factors{block[across], plan.block_planes, plan.block_angles, element};
    static_cast<void>(product_bytes(spec, factors, "workload.block, k_block or angle_block"));
  }
  plan.x_bytes = static_cast<u64>(block[1] * element);
  plan.y_bytes = static_cast<u64>(block[0] * element);
  plan.computing = compute_ns(spec);
  plan.repetitions = spec.repetitions;
  return planned_program("sweep3d " + plan.grid.name(), spec.tasks, plan);
}

const bool sweep3d_registered = KernelRegistry::instance().add(
    "sweep3d",
    {.help = "wave-fronts from all corners in blocks of planes and angles; tasks: any shape of 2 dimensions",
     .make = make_sweep3d,
     .dimensions = {2},
     .settings = {kernel_row::compute_ns("computing for a block of k_block planes and angle_block angles; smaller ones "
                                         "in proportion."),
                  kernel_row::block("cells of a task in x, y and z; 50 in each if not given."),
                  row::integer("workload.k_block", "planes", 10, {1, 1 << 24}, "planes of cells in a block."),
                  row::integer("workload.angles", "angles", 6, {1, 1 << 20}, "angles of an octant."),
                  row::integer("workload.angle_block", "angles", 3, {1, 1 << 20}, "angles in a block."),
                  kernel_row::element_bytes("what crosses a face of a cell for an angle.")},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
