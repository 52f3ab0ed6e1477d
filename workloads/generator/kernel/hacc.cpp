// Kernel "hacc": time steps of a cosmological particle-mesh code: transforms by pencils, and overloaded particles.
// Habib et al.: HACC: Simulating sky surveys on state-of-the-art supercomputing architectures, New Astronomy 42, 2016;
// SWFFT: blocks become pencils along x, blocks again, pencils along y, blocks again, pencils along z, each by an
// exchange of all tasks in a line; three components of the force are transformed back.
#include <fmt/format.h>

#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/offsets.hpp"

namespace weft::workloads {
namespace {

/// Rounds are time steps: a transform forth and `backward` ones back, then copies of the particles near the surface for
/// the 26 neighbours, then computing. A transform is five exchanges in lines along x, x, y, y, z (z, y, y, x, x): each
/// task sends to those behind it round the line, then waits for those before it. Tag: exchange, or direction.
struct HaccPlan {
  static constexpr u32 neighbours = 26, exchanges = 5;
  Grid grid;
  std::array<Offset, neighbours> offsets{};
  std::array<u64, 8> bytes{};  ///< of particles, by the dimensions in which an offset is not 0, a bit each
  u64 points = 1;              ///< of a block
  u64 point_bytes = 16;
  u64 computing = 0;
  u32 backward = 3, steps = 1;

  u32 rounds() const { return steps; }
  u64 others(u32 dimension) const { return grid.sides[dimension] - u64{1}; }
  u64 slots_of_transform() const { return 2 * (2 * others(0) + 2 * others(1) + others(2)); }
  u64 slots() const { return (1 + backward) * slots_of_transform() + u64{2} * neighbours + 1; }

  /// Number `exchange` of a transform forth: to pencils along x, to blocks, to pencils along y, to blocks, to pencils
  /// along z. A transform back does the opposite from the last one on.
  Op in_line(u32 task, u32 exchange, bool back, u64 step) const {
    const u32 dimension = exchange / 2;
    const bool to_pencils = (exchange % 2 == 0) != back, sending = step < others(dimension);
    const u64 distance = sending ? step + 1 : step - others(dimension) + 1;
    const u32 side = grid.sides[dimension], here = grid.place(task, dimension);
    const auto there = static_cast<u32>((here + (sending ? distance : side - distance)) % side);
    const u32 peer = task - here * grid.stride(dimension) + there * grid.stride(dimension);
    // The pencils of a task are its share of each block.
    const u32 owner = to_pencils == sending ? there : here;
    const u64 size = even_share({0, points}, side, owner).bytes * point_bytes;
    return sending ? send_unless_empty(peer, size, exchange) : receive_unless_empty(peer, size, exchange);
  }
  Op transform(u32 task, bool back, u64 slot) const {
    for (u32 number = 0; number < exchanges; ++number) {
      const u32 exchange = back ? exchanges - 1 - number : number;
      const u64 length = 2 * others(exchange / 2);
      if (slot < length) return in_line(task, exchange, back, slot);
      slot -= length;
    }
    return {};
  }
  Op overload(u32 task, u64 slot) const {
    const u32 index = static_cast<u32>(slot % neighbours);
    const Offset& offset = offsets[index];
    const auto peer = neighbour_at(grid, task, offset);
    if (!peer) return {};
    const u64 size = bytes[(offset[0] != 0 ? 1 : 0) | (offset[1] != 0 ? 2 : 0) | (offset[2] != 0 ? 4 : 0)];
    constexpr u32 faces = 6;
    const u32 opposite = index < faces ? index ^ 1 : faces + (neighbours - 1 - index);
    return slot < neighbours ? send_op(*peer, size, exchanges + index) : receive_op(*peer, size, exchanges + opposite);
  }
  Op op(u32 task, u32, u64 slot) const {
    const u64 length = slots_of_transform();
    if (slot < (1 + backward) * length) return transform(task, slot >= length, slot % length);
    slot -= (1 + backward) * length;
    return slot < u64{2} * neighbours ? overload(task, slot) : compute_op(computing);
  }
};

std::unique_ptr<Program> make_hacc(const KernelSpec& spec) {
  constexpr i64 fallback = 32, reals = 2;
  const std::vector<i64> block = sides_of(spec, "block", 3, fallback);
  const i64 width = spec.keys.integer("width");
  if (const i64 least = *std::ranges::min_element(block); width > least) {
    throw ConfigError(
        fmt::format("workload.width = {} is more than a side of workload.block (particles would come from beyond the "
                    "neighbour); use {} or less",
                    width, least));
  }
  HaccPlan plan;
  plan.grid = task_grid(spec);
  plan.grid.wrap = true;
  for (u32 index = 0; index < HaccPlan::neighbours; ++index) plan.offsets[index] = any_offset(3, index);
  for (u32 mask = 1; mask < plan.bytes.size(); ++mask) {
    std::vector<i64> factors{spec.keys.integer("particle_bytes")};
    for (u32 d = 0; d < 3; ++d) factors.push_back((mask >> d & 1) != 0 ? width : block[d]);
    plan.bytes[mask] = product_bytes(spec, factors, "workload.block");
  }
  plan.point_bytes = static_cast<u64>(reals * spec.keys.integer("element_bytes"));
  std::vector<i64> all = block;
  all.push_back(static_cast<i64>(plan.point_bytes));
  plan.points = product_bytes(spec, all, "workload.block") / plan.point_bytes;
  plan.computing = compute_ns(spec);
  plan.backward = static_cast<u32>(spec.keys.integer("backward"));
  plan.steps = spec.repetitions;
  return planned_program("hacc " + plan.grid.name(), spec.tasks, plan);
}

const bool hacc_registered = KernelRegistry::instance().add(
    "hacc",
    {.help = "time steps of a particle-mesh code: all-to-alls in lines for Fourier transforms, particles for 26 "
             "neighbours; tasks: any shape of 3 dimensions, periodic",
     .make = make_hacc,
     .dimensions = {3},
     .settings = {kernel_row::compute_ns("computing in each step."),
                  kernel_row::block("points of a task in each dimension, and a particle at each; 32 if not given."),
                  kernel_row::width("how many particles deep the copies for neighbours are."),
                  kernel_row::element_bytes("size of a real number; a point of the transforms has two."),
                  row::integer("workload.particle_bytes", "bytes", 38, {1, 1 << 16}, "size of a particle."),
                  row::integer("workload.backward", "transforms", 3, {0, 1 << 16},
                               "transforms back in each step, after one forth.")},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
