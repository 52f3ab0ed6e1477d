// Kernel "multigrid": V-cycles of halo exchanges on coarser and coarser grids, and back.
// After the communication of NAS MG (Bailey et al.: The NAS parallel benchmarks, International Journal of Supercomputer
// Applications 5(3), 1991): faces halve with each level; where tasks have one element left, every other task drops out.
#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Levels 0, 1 ... to the coarsest and back to 0; on each `sweeps` times: send faces to all neighbours of the level
/// (+x, -x, +y ...), wait for all, compute. Tag: level and direction.
struct MultigridPlan {
  Grid grid;
  std::array<u32, 3> block{1, 1, 1};
  u32 levels = 1, sweeps = 1;
  u64 element_bytes = 1;
  u64 computing = 0;  ///< of a sweep on level 0
  u32 repetitions = 1;

  u32 rounds() const { return repetitions; }
  u32 directions() const { return 2 * grid.dimensions; }
  u64 slots_of_sweep() const { return u64{2} * directions() + 1; }
  u64 slots() const { return (u64{2} * levels - 1) * sweeps * slots_of_sweep(); }

  /// Levels on which a task has an element of its own in this dimension, but the first.
  u32 own_levels(u32 dimension) const { return static_cast<u32>(std::bit_width(block[dimension])) - 1; }
  /// Elements of a task of a level.
  u64 side(u32 dimension, u32 level) const { return std::max<u32>(1, level < 32 ? block[dimension] >> level : 0); }
  /// Tasks of a level are so far apart.
  u64 apart(u32 dimension, u32 level) const {
    return level <= own_levels(dimension) ? 1 : u64{1} << (level - own_levels(dimension));
  }
  bool takes_part(u32 task, u32 level) const {
    for (u32 d = 0; d < grid.dimensions; ++d) {
      if (grid.place(task, d) % apart(d, level) != 0) return false;
    }
    return true;
  }
  std::optional<u32> neighbour(u32 task, u32 dimension, bool up, u32 level) const {
    const u64 step = apart(dimension, level), last = (grid.sides[dimension] - 1) / step * step;
    const u64 at = grid.place(task, dimension);
    u64 there = up ? at + step : at - step;
    if (up ? at == last : at == 0) {
      if (!grid.wrap || last == 0) return std::nullopt;
      there = up ? 0 : last;
    }
    return static_cast<u32>(task + (there - at) * grid.stride(dimension));
  }
  u64 face_bytes(u32 dimension, u32 level) const {
    u64 bytes = element_bytes;
    for (u32 d = 0; d < grid.dimensions; ++d) bytes *= d == dimension ? 1 : side(d, level);
    return bytes;
  }
  u64 computing_of(u32 level) const {
    u128 part = computing;
    for (u32 d = 0; d < grid.dimensions; ++d) part = part * side(d, level);
    for (u32 d = 0; d < grid.dimensions; ++d) part /= block[d];
    return static_cast<u64>(part);
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto stage = static_cast<u32>(slot / slots_of_sweep() / sweeps);
    const u32 level = stage < levels ? stage : 2 * levels - 2 - stage;
    if (!takes_part(task, level)) return {};
    const auto step = static_cast<u32>(slot % slots_of_sweep());
    if (step == 2 * directions()) return compute_op(computing_of(level));
    const u32 direction = step % directions(), dimension = direction / 2;
    const auto peer = neighbour(task, dimension, direction % 2 == 0, level);
    if (!peer) return {};
    const u32 tag = level * directions();
    return step < directions() ? send_op(*peer, face_bytes(dimension, level), tag + direction)
                               : receive_op(*peer, face_bytes(dimension, level), tag + (direction ^ 1));
  }
};

/// Levels until the whole grid has one element in its shortest dimension.
u32 most_levels(const MultigridPlan& plan) {
  u64 shortest = ~u64{0};
  for (u32 d = 0; d < plan.grid.dimensions; ++d) shortest = std::min(shortest, u64{plan.block[d]} * plan.grid.sides[d]);
  return static_cast<u32>(std::bit_width(shortest));
}

std::unique_ptr<Program> make_multigrid(const KernelSpec& spec) {
  constexpr i64 fallback = 64;
  const std::vector<i64> block = sides_of(spec, "block", spec.dimensions, fallback);
  MultigridPlan plan;
  plan.grid = task_grid(spec);
  std::ranges::copy(block, plan.block.begin());
  plan.element_bytes = static_cast<u64>(spec.keys.integer("element_bytes"));
  for (u32 d = 0; d < spec.dimensions; ++d) {
    std::vector<i64> factors = block;
    factors[d] = spec.keys.integer("element_bytes");
    static_cast<void>(product_bytes(spec, factors, "workload.block"));
  }
  const auto levels = static_cast<u32>(spec.keys.integer("levels"));
  if (levels > most_levels(plan)) {
    throw ConfigError(fmt::format(
        "workload.levels = {} are too many for {} tasks of {} elements (the grid would have less than one in a "
        "dimension); use {} or less",
        levels, plan.grid.name(), list_text(block), most_levels(plan)));
  }
  plan.levels = levels == 0 ? most_levels(plan) : levels;
  plan.sweeps = static_cast<u32>(spec.keys.integer("smoothing"));
  plan.computing = compute_ns(spec);
  plan.repetitions = spec.repetitions;
  return planned_program(fmt::format("multigrid {} of {} levels", plan.grid.name(), plan.levels), spec.tasks, plan);
}

const bool multigrid_registered = KernelRegistry::instance().add(
    "multigrid",
    {.help = "V-cycles of halo exchanges on coarser and coarser grids; tasks: any shape of 1 to 3 dimensions",
     .make = make_multigrid,
     .dimensions = {3, 1, 2},
     .wrap = true,
     .settings = {kernel_row::compute_ns(
                      "computing after an exchange on the finest grid; on coarser ones in proportion "
                      "to their elements."),
                  kernel_row::block("elements of a task in each dimension of the finest grid; 64 if not given."),
                  kernel_row::element_bytes("size of an element."),
                  row::integer("workload.levels", "levels", 0, {0, 64},
                               "grids, the finest included; 0 = until the whole grid has one element in its shortest "
                               "dimension."),
                  row::integer("workload.smoothing", "sweeps", 1, {1, 1 << 20},
                               "exchanges on each level, on the way down and on the way up.")},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
