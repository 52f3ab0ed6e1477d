// Kernel "summa": products of dense matrices: panels go along the rows and columns of a grid of tasks.
// SUMMA (van de Geijn and Watts: Concurrency: Practice and Experience 9(4), 1997), whose pipelined broadcast is a ring.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/sizes.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/panel_ring.hpp"

namespace weft::workloads {
namespace {

/// Step k: the tasks of column k mod Q send their part of a panel of A round their rows, those of row k mod P theirs of
/// a panel of B round their columns, to the last before themselves; then all compute.
struct SummaPlan {
  Grid grid;
  u64 order, panel, element_bytes, computing;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 steps() const { return (order + panel - 1) / panel; }
  u64 slots() const { return PanelSlot::of_step * steps(); }
  Op op(u32 task, u32, u64 slot) const {
    const PanelSlot here(slot);
    if (here.computes()) return compute_op(computing);
    const u64 width = std::min(panel, order - here.step * panel);
    const u32 across = 1 - here.dimension();
    return here.op(grid, task, even_part(order, grid.sides[across], grid.place(task, across)) * width * element_bytes);
  }
};

std::unique_ptr<Program> make_summa(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  const i64 order = spec.keys.integer("matrix_order"), panel = spec.keys.integer("panel");
  if (order < std::max(grid.sides[0], grid.sides[1])) {
    throw ConfigError(
        fmt::format("workload.matrix_order = {} leaves tasks of {} without rows or columns; use {} or more", order,
                    grid.name(), std::max(grid.sides[0], grid.sides[1])));
  }
  const u64 element_bytes = static_cast<u64>(spec.keys.integer("element_bytes"));
  const u32 fewest = std::min(grid.sides[0], grid.sides[1]);
  static_cast<void>(product_bytes(spec, {order / fewest + 1, std::min(order, panel), static_cast<i64>(element_bytes)},
                                  "workload.panel"));
  return planned_program("summa " + grid.name(), spec.tasks,
                         SummaPlan{grid, static_cast<u64>(order), static_cast<u64>(panel), element_bytes,
                                   compute_ns(spec), spec.repetitions});
}

const bool summa_registered = KernelRegistry::instance().add(
    "summa", {.help = "products of dense matrices, panel by panel; tasks: any shape of 2 dimensions",
              .make = make_summa,
              .dimensions = {2},
              .settings = {kernel_row::compute_ns("computing with a panel."), kernel_row::matrix_order(),
                           kernel_row::panel(), kernel_row::element_bytes("size of an element.")},
              .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
