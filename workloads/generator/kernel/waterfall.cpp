// Kernel "waterfall" (WF): many small wave-fronts that follow each other, a pipeline over a mesh of tasks.
#include <fmt/format.h>

#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Iteration n: wait for -x, -y, -z, compute, send to +x, +y, +z, all with tag n.
struct WaterfallPlan {
  Grid grid;
  u64 bytes;
  u32 repetitions;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * grid.dimensions + 1; }
  Op op(u32 task, u32 round, u64 slot) const {
    const auto step = static_cast<u32>(slot);
    if (step == grid.dimensions) return compute_op(computing);
    if (step < grid.dimensions) return grid.receive(task, step, -1, bytes, round);
    return grid.send(task, step - grid.dimensions - 1, +1, bytes, round);
  }
};

std::unique_ptr<Program> make_waterfall(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  return planned_program(fmt::format("waterfall {} of {}", grid.name(), spec.repetitions), spec.tasks,
                         WaterfallPlan{grid, spec.message_bytes, spec.repetitions, compute_ns(spec)});
}

KernelKind waterfall_kind(const std::string& help, const std::vector<u32>& dimensions) {
  return {.help = help,
          .make = make_waterfall,
          .dimensions = dimensions,
          .settings = {kernel_row::compute_ns("computing between the receives and the sends.")}};
}

const bool waterfall_registered =
    KernelRegistry::instance().add(
        "waterfall",
        waterfall_kind("`repetitions` wave-fronts in a pipeline; tasks: any shape of 1 to 3 dimensions", {2, 1, 3})) &&
    KernelRegistry::instance().add("WF", waterfall_kind("waterfall in 2 dimensions", {2}));

}  // namespace
}  // namespace weft::workloads
