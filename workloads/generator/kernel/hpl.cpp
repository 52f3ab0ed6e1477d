// Kernel "hpl": the factorisation of a dense matrix as LINPACK has it: a panel goes along the rows of a grid of tasks,
// rows of U along its columns, and what is left shrinks. HPL (Petitet, Whaley, Dongarra, Cleary: HPL, a portable
// implementation of the High-Performance Linpack benchmark), its one-ring broadcast; rows that pivoting swaps are those
// of U.
#include <fmt/format.h>

#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Blocks of panel x panel elements are dealt out in turn to the P rows and Q columns of tasks. Step k: the tasks of
/// column k mod Q send their blocks of block column k, from block row k on, round their rows; those of row k mod P
/// theirs of block row k, behind block column k, round their columns; then all compute, as long as what is left is of
/// the whole.
struct HplPlan {
  Grid grid;
  u64 blocks, block_bytes, computing;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return 5 * blocks; }
  /// How many of the blocks from `first` on part `index` of `parts` has.
  static u64 dealt(u64 blocks, u64 first, u32 parts, u32 index) {
    const auto below = [&](u64 end) { return end / parts + (index < end % parts ? 1 : 0); };
    return below(blocks) - below(first);
  }
  Op op(u32 task, u32, u64 slot) const {
    const u64 step = slot / 5, left = blocks - step;
    if (slot % 5 == 4) {
      const double share = static_cast<double>(left) * static_cast<double>(left) / static_cast<double>(blocks * blocks);
      return compute_op(static_cast<u64>(static_cast<double>(computing) * share));
    }
    const u32 dimension = slot % 5 < 2 ? 0 : 1;
    const u32 ring = grid.sides[dimension], place = grid.place(task, dimension);
    const u32 behind = (place + ring - static_cast<u32>(step % ring)) % ring;
    const u64 bytes =
        dealt(blocks, step + dimension, grid.sides[1 - dimension], grid.place(task, 1 - dimension)) * block_bytes;
    if (bytes == 0) return {};
    const auto tag = static_cast<u32>(2 * step + dimension);
    const u32 base = task - place * grid.stride(dimension);
    const auto at = [&](u32 other) { return base + other % ring * grid.stride(dimension); };
    if (slot % 5 % 2 == 0) return behind == 0 ? Op{} : receive_op(at(place + ring - 1), bytes, tag);
    return behind == ring - 1 ? Op{} : send_op(at(place + 1), bytes, tag);
  }
};

std::unique_ptr<Program> make_hpl(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  const i64 order = spec.keys.integer("matrix_order"), panel = spec.keys.integer("panel");
  const i64 blocks = (order + panel - 1) / panel, element_bytes = spec.keys.integer("element_bytes");
  const i64 longest = blocks / std::min(grid.sides[0], grid.sides[1]) + 1;
  static_cast<void>(product_bytes(spec, {longest, panel, panel, element_bytes}, "workload.panel or matrix_order"));
  return planned_program("hpl " + grid.name(), spec.tasks,
                         HplPlan{grid, static_cast<u64>(blocks), static_cast<u64>(panel * panel * element_bytes),
                                 compute_ns(spec), spec.repetitions});
}

const bool hpl_registered = KernelRegistry::instance().add(
    "hpl",
    {.help = "factorisation of a dense matrix in blocks, as LINPACK; tasks: any shape of 2 dimensions",
     .make = make_hpl,
     .dimensions = {2},
     .settings = {kernel_row::compute_ns("computing in the first step; it falls with what is left."),
                  kernel_row::matrix_order(), kernel_row::panel(), kernel_row::element_bytes("size of an element.")},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
