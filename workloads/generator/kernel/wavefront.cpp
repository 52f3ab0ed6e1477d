// Kernel "wavefront" (W2, W3): a sweep from one corner of the mesh to the other, as in particle transport or LU.
#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Every task waits for its predecessors (-z, -y, -x), computes, then sends to its successors (+x, +y, +z). The return
/// sweep runs back: waits for +x, +y, +z, computes, then sends to -z, -y, -x.
struct WavefrontPlan {
  Grid grid;
  u64 bytes;
  bool return_sweep;
  u32 repetitions;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u64 slots_of_sweep() const { return u64{2} * grid.dimensions + 1; }
  u64 slots() const { return slots_of_sweep() * (return_sweep ? 2 : 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 n = grid.dimensions;
    const bool back = slot >= slots_of_sweep();
    const auto step = static_cast<u32>(slot % slots_of_sweep());
    if (step == n) return compute_op(computing);
    const u32 upward = step < n ? step : step - n - 1;
    const u32 downward = n - 1 - upward;
    if (step < n) return back ? grid.receive(task, upward, +1, bytes) : grid.receive(task, downward, -1, bytes);
    return back ? grid.send(task, downward, -1, bytes) : grid.send(task, upward, +1, bytes);
  }
};

std::unique_ptr<Program> make_wavefront(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  const std::string suffix = spec.return_sweep ? " with return" : "";
  return planned_program(
      "wavefront " + grid.name() + suffix, spec.tasks,
      WavefrontPlan{grid, spec.message_bytes, spec.return_sweep, spec.repetitions, compute_ns(spec)});
}

KernelKind wavefront_kind(const std::string& help, const std::vector<u32>& dimensions) {
  return {.help = help,
          .make = make_wavefront,
          .dimensions = dimensions,
          .return_sweep = true,
          .settings = {kernel_row::compute_ns("computing between the receives and the sends.")}};
}

const bool wavefront_registered =
    KernelRegistry::instance().add(
        "wavefront",
        wavefront_kind("wait for the lower neighbours, send to the upper; tasks: any shape of 1 to 3 dimensions",
                       {2, 1, 3})) &&
    KernelRegistry::instance().add("W2", wavefront_kind("wavefront in 2 dimensions", {2})) &&
    KernelRegistry::instance().add("W3", wavefront_kind("wavefront in 3 dimensions", {3}));

}  // namespace
}  // namespace weft::workloads
