// Kernel "wavefront" (W2, W3): a sweep from one corner of the mesh to the other, as in particle transport or LU.
#include "workloads/kernel/grid.hpp"

namespace weft::workloads {
namespace {

/// Every task waits for its predecessors (-z, -y, -x), then sends to its successors (+x, +y, +z). The return sweep runs
/// back: waits for +x, +y, +z, then sends to -z, -y, -x.
struct WavefrontPlan {
  Grid grid;
  u64 bytes;
  bool return_sweep;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{grid.dimensions} * (return_sweep ? 4 : 2); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 n = grid.dimensions;
    const auto upward = static_cast<u32>(slot % n);
    const u32 downward = n - 1 - upward;
    switch (slot / n) {
      case 0:
        return grid.receive(task, downward, -1, bytes);
      case 1:
        return grid.send(task, upward, +1, bytes);
      case 2:
        return grid.receive(task, upward, +1, bytes);
      default:
        return grid.send(task, downward, -1, bytes);
    }
  }
};

std::unique_ptr<Program> make_wavefront(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  const std::string suffix = spec.return_sweep ? " with return" : "";
  return planned_program("wavefront " + grid.name() + suffix, spec.tasks,
                         WavefrontPlan{grid, spec.message_bytes, spec.return_sweep, spec.repetitions});
}

KernelKind wavefront_kind(const std::string& help, const std::vector<u32>& dimensions) {
  return {.help = help, .make = make_wavefront, .dimensions = dimensions, .return_sweep = true};
}

const bool wavefront_registered =
    KernelRegistry::instance().add(
        "wavefront",
        wavefront_kind("wait for the lower neighbours, send to the upper; tasks: a square or a cube", {2, 3})) &&
    KernelRegistry::instance().add("W2", wavefront_kind("wavefront in 2 dimensions", {2})) &&
    KernelRegistry::instance().add("W3", wavefront_kind("wavefront in 3 dimensions", {3}));

}  // namespace
}  // namespace weft::workloads
