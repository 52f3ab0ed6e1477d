// Kernel "direction-distribution": every task floods its neighbours direction by direction, without waiting.
#include "workloads/generator/kernel/grid.hpp"

namespace weft::workloads {
namespace {

/// `repetitions` turns of one message to each neighbour in the order +x, -x, +y, -y ..., then all receives; those in
/// the order in which the messages were sent: what a lower neighbour sent up comes first.
struct DirectionPlan {
  Grid grid;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return 1; }
  u64 sends() const { return u64{2} * grid.dimensions * repetitions; }
  u64 slots() const { return 2 * sends(); }
  Op op(u32 task, u32, u64 slot) const {
    const auto direction = static_cast<u32>(slot % (2 * grid.dimensions));
    const int step = direction % 2 == 0 ? 1 : -1;
    if (slot < sends()) return grid.send(task, direction / 2, step, bytes);
    return grid.receive(task, direction / 2, -step, bytes);
  }
};

std::unique_ptr<Program> make_direction_distribution(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  return planned_program("direction-distribution " + grid.name(), spec.tasks,
                         DirectionPlan{grid, spec.message_bytes, spec.repetitions});
}

const bool direction_distribution_registered = KernelRegistry::instance().add(
    "direction-distribution",
    {.help = "`repetitions` messages to each neighbour, then wait for all; tasks: any shape of 1 to 6 dimensions",
     .make = make_direction_distribution,
     .dimensions = {2, 1, 3, 4, 5, 6},
     .wrap = true});

}  // namespace
}  // namespace weft::workloads
