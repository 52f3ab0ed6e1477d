// Kernel "summa": products of dense matrices: panels go along the rows and columns of a grid of tasks.
// SUMMA (van de Geijn and Watts: Concurrency: Practice and Experience 9(4), 1997), whose pipelined broadcast is a ring.
#include <algorithm>
#include <fmt/format.h>

#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// As many of `whole` as part `index` of `parts` has, divided as evenly as can be.
u64 even_share(u64 whole, u32 parts, u32 index) { return whole / parts + (index < whole % parts ? 1 : 0); }

/// Step k: the tasks of column k mod Q send their part of a panel of A round their rows, those of row k mod P theirs of
/// a panel of B round their columns, to the last before themselves; then all compute. Tag: twice the step, one more for
/// B.
struct SummaPlan {
  Grid grid;
  u64 order, panel, element_bytes, computing;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 steps() const { return (order + panel - 1) / panel; }
  u64 slots() const { return 5 * steps(); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 step = slot / 5;
    if (slot % 5 == 4) return compute_op(computing);
    const u64 width = std::min(panel, order - step * panel);
    const u32 dimension = slot % 5 < 2 ? 0 : 1;  // along the row, or the column
    const u32 ring = grid.sides[dimension], place = grid.place(task, dimension);
    const u32 behind = (place + ring - static_cast<u32>(step % ring)) % ring;  // how far from whose panel it is
    const u64 bytes =
        even_share(order, grid.sides[1 - dimension], grid.place(task, 1 - dimension)) * width * element_bytes;
    const auto tag = static_cast<u32>(2 * step + dimension);
    const u32 base = task - place * grid.stride(dimension);
    const auto at = [&](u32 other) { return base + other % ring * grid.stride(dimension); };
    if (slot % 5 % 2 == 0) return behind == 0 ? Op{} : receive_op(at(place + ring - 1), bytes, tag);
    return behind == ring - 1 ? Op{} : send_op(at(place + 1), bytes, tag);
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
