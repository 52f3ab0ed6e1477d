// Kernel "hpl": the factorisation of a dense matrix as LINPACK has it: a panel goes along the rows of a grid of tasks,
// rows of U along its columns, and what is left shrinks. HPL (Petitet, Whaley, Dongarra, Cleary: HPL, a portable
// implementation of the High-Performance Linpack benchmark), its one-ring broadcast; rows that pivoting swaps are those
// of U.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/sizes.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/panel_ring.hpp"

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
  u64 slots() const { return PanelSlot::of_step * blocks; }
  /// How many of the blocks from `first` on part `index` of `parts` has.
  static u64 dealt(u64 blocks, u64 first, u32 parts, u32 index) {
    return even_part(blocks, parts, index) - even_part(first, parts, index);
  }
  Op op(u32 task, u32, u64 slot) const {
    const PanelSlot here(slot);
    if (here.computes()) {
      const u64 left = blocks - here.step;
      const double share = static_cast<double>(left) * static_cast<double>(left) / static_cast<double>(blocks * blocks);
      return compute_op(static_cast<u64>(static_cast<double>(computing) * share));
    }
    const u32 dimension = here.dimension(), across = 1 - dimension;
    const u64 bytes = dealt(blocks, here.step + dimension, grid.sides[across], grid.place(task, across)) * block_bytes;
    return bytes == 0 ? Op{} : here.op(grid, task, bytes);
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
