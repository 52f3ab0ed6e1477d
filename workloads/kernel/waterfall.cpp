// Kernel "waterfall" (WF): many small wave-fronts that follow each other, a pipeline over a square of tasks.
#include <fmt/format.h>

#include "workloads/kernel/grid.hpp"

namespace weft::workloads {
namespace {

/// Iteration n: wait for -x, wait for -y, send to +x, send to +y, all with tag n.
struct WaterfallPlan {
  Grid grid;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return 4; }
  Op op(u32 task, u32 round, u64 slot) const {
    const auto dimension = static_cast<u32>(slot % 2);
    if (slot < 2) return grid.receive(task, dimension, -1, bytes, round);
    return grid.send(task, dimension, +1, bytes, round);
  }
};

std::unique_ptr<Program> make_waterfall(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  return planned_program(fmt::format("waterfall {} of {}", grid.name(), spec.repetitions), spec.tasks,
                         WaterfallPlan{grid, spec.message_bytes, spec.repetitions});
}

KernelKind waterfall_kind(const std::string& help) { return {.help = help, .make = make_waterfall, .dimensions = {2}}; }

const bool waterfall_registered =
    KernelRegistry::instance().add("waterfall",
                                   waterfall_kind("`repetitions` wave-fronts in a pipeline; tasks: a square")) &&
    KernelRegistry::instance().add("WF", waterfall_kind("waterfall"));

}  // namespace
}  // namespace weft::workloads
