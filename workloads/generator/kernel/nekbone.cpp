// Kernel "nekbone": conjugate gradients on spectral elements: gather-scatter with up to 26 neighbours and allreduces.
// Nekbone (Fischer, Heisey: NEKBONE, Thermal hydraulics mini-application, 2013; CESAR co-design centre): cg.f has three
// inner products (glsc3) and one gather-scatter (gs_op, pairwise) in an iteration. As in SWM's nekbone.
#include <fmt/format.h>

#include "workloads/generator/kernel/composed_program.hpp"
#include "workloads/generator/kernel/offsets.hpp"

namespace weft::workloads {
namespace {

/// Rounds are iterations: allreduce, computing of A p, send to all neighbours, receive from all, two allreduces. Tag:
/// the place of the direction in which a message goes among those of its sender.
struct NekbonePlan {
  static constexpr u32 neighbours = 26;
  Grid grid;
  std::array<Offset, neighbours> offsets{};
  std::array<u64, 8> bytes{};  ///< by the dimensions in which an offset is not 0, a bit each
  u64 computing = 0;
  u32 iterations = 1;

  u32 rounds() const { return iterations; }
  u64 slots() const { return u64{2} * neighbours + 4; }
  /// The place of the opposite direction.
  static u32 opposite(u32 index) {
    constexpr u32 faces = 6;
    return index < faces ? index ^ 1 : faces + (neighbours - 1 - index);
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot);
    if (step == 0 || step > 2 * neighbours + 1) return collective_op();
    if (step == 1) return compute_op(computing);
    const bool sending = step < neighbours + 2;
    const u32 index = (step - 2) % neighbours;
    const Offset& offset = offsets[index];
    const auto peer = neighbour_at(grid, task, offset);
    if (!peer) return {};
    const u64 size = bytes[(offset[0] != 0 ? 1 : 0) | (offset[1] != 0 ? 2 : 0) | (offset[2] != 0 ? 4 : 0)];
    return sending ? send_op(*peer, size, index) : receive_op(*peer, size, opposite(index));
  }
};

std::unique_ptr<Program> make_nekbone(const KernelSpec& spec) {
  constexpr i64 fallback = 4;
  const std::vector<i64> block = sides_of(spec, "block", 3, fallback);
  NekbonePlan plan;
  plan.grid = task_grid(spec);
  for (u32 index = 0; index < NekbonePlan::neighbours; ++index) plan.offsets[index] = any_offset(3, index);
  // Neighbours share the points of a face with its edges: those of all elements on it, each point once.
  for (u32 mask = 1; mask < plan.bytes.size(); ++mask) {
    std::vector<i64> factors{spec.keys.integer("element_bytes")};
    for (u32 d = 0; d < 3; ++d) factors.push_back((mask >> d & 1) != 0 ? 1 : block[d] * spec.keys.integer("order") + 1);
    plan.bytes[mask] = product_bytes(spec, factors, "workload.block");
  }
  plan.computing = compute_ns(spec);
  plan.iterations = spec.repetitions;
  return reducing_program("nekbone " + plan.grid.name(), spec, plan);
}

const bool nekbone_registered = KernelRegistry::instance().add(
    "nekbone",
    {.help = "conjugate gradients on spectral elements: three allreduces and an exchange with 26 neighbours in each "
             "iteration; tasks: any shape of 3 dimensions",
     .make = make_nekbone,
     .dimensions = {3},
     .settings = {kernel_row::compute_ns("computing in each iteration."),
                  kernel_row::block("spectral elements of a task in each dimension; 4 if not given."),
                  row::integer("workload.order", "", 9, {1, 64},
                               "polynomial order of the elements: order + 1 points along each edge."),
                  kernel_row::element_bytes("size of the value of a point."), kernel_row::reduction(),
                  kernel_row::reduction_bytes()},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
