// Kernel "direction-distribution": every task exchanges with its neighbours direction by direction.
#include <fmt/format.h>

#include "engine/base/meaning.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Messages to all neighbours in the order +x, -x, +y, -y ..., then to diagonal ones, each with the opposite one after
/// it. In steps of so many directions: the messages of a step, then the receives of what travels in these directions,
/// which the opposite neighbours send. "Simulation starts with all nodes injecting one message to their neighbors in
/// the positive first dimension (X+). After that, each node wait for the message from its neighbor, and then sends it
/// to the neighbor in the negative first dimension (X-), and so on": steps of one. "Some applications use some traffic
/// patterns in which the distribution is arranged by dimensions, this is, first messages are interchanged in the first
/// dimension (X+ and X-) and, when those interchanges have finished, the interchanges in the next dimension (Y+ and Y-)
/// can start": steps of two (Navaridas, Miguel-Alonso, Ridruejo, PDSEC 2008, section 3.2.3).
struct DirectionPlan {
  Grid grid;
  u64 bytes;
  u32 repetitions;
  u64 computing;
  Diagonals diagonals;
  u32 step;  ///< directions of a step: 1 or 2

  u32 rounds() const { return repetitions; }
  u32 directions() const { return 2 * grid.dimensions + count_diagonals(grid.dimensions, diagonals); }
  u64 slots() const { return u64{1} + 2 * directions(); }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == 0) return compute_op(computing);
    const auto at = static_cast<u32>(slot - 1);
    const u32 first = at / (2 * step) * step, place = at % (2 * step);
    return place < step ? message(task, first + place, true) : message(task, first + place - step, false);
  }

 private:
  /// What a task sends in a direction, or gets that travels in it.
  Op message(u32 task, u32 direction, bool sends) const {
    if (direction < 2 * grid.dimensions) {
      const int way = direction % 2 == 0 ? 1 : -1;
      return sends ? grid.send(task, direction / 2, way, bytes) : grid.receive(task, direction / 2, -way, bytes);
    }
    Offset offset = diagonal(direction - 2 * grid.dimensions);
    if (!sends) {
      for (auto& part : offset) part = static_cast<std::int8_t>(-part);
    }
    const auto peer = neighbour_at(grid, task, offset);
    if (!peer) return {};
    return sends ? send_op(*peer, bytes) : receive_op(*peer, bytes);
  }
  /// Each diagonal direction with its opposite after it, which stands as far from the end of the list.
  Offset diagonal(u32 place) const {
    const u32 axes = 2 * grid.dimensions, all = count_diagonals(grid.dimensions, diagonals);
    const u32 index = place % 2 == 0 ? place / 2 : all - 1 - place / 2;
    return neighbour_offset(grid.dimensions, diagonals, axes + index);
  }
};

/// All at once: `repetitions` turns of one message to each neighbour, then all receives, in the order in which the
/// messages were sent: what a lower neighbour sent up comes first.
struct FloodPlan {
  DirectionPlan turn;
  u32 repetitions;

  u32 rounds() const { return 1; }
  u64 sends() const { return u64{turn.directions()} * repetitions; }
  u64 slots() const { return 1 + 2 * sends(); }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == 0) return turn.op(task, 0, 0);
    const u64 direction = (slot - 1) % turn.directions();
    // In steps of one the operations of direction d are the slots 1 + 2 d and 2 + 2 d.
    return turn.op(task, 0, 1 + 2 * direction + (slot - 1 < sends() ? 0 : 1));
  }
};

std::unique_ptr<Program> make_direction_distribution(const KernelSpec& spec) {
  const Grid grid = task_grid(spec);
  if (spec.diagonals && grid.dimensions > 3) {
    throw ConfigError(fmt::format(
        "workload.diagonals does not fit kernel \"direction-distribution\" in {} dimensions (diagonal neighbours are "
        "known in up to 3); use 3 or fewer, or no diagonals",
        grid.dimensions));
  }
  const std::string order = spec.keys.text("direction_order");
  DirectionPlan plan{grid, spec.message_bytes, spec.repetitions, compute_ns(spec), diagonals_of(spec), 1};
  const std::string name = "direction-distribution " + grid.name();
  if (order == "flood") return planned_program(name, spec.tasks, FloodPlan{plan, spec.repetitions});
  plan.step = order == "dimensions" ? 2 : 1;
  return planned_program(name, spec.tasks, plan);
}

const bool direction_distribution_registered = KernelRegistry::instance().add(
    "direction-distribution",
    {.help = "a message to each neighbour, direction by direction: the next when that of the last has come; tasks: any "
             "shape of 1 to 6 dimensions",
     .make = make_direction_distribution,
     .dimensions = {2, 1, 3, 4, 5, 6},
     .wrap = true,
     .diagonals = true,
     .settings = {kernel_row::compute_ns("computing before the messages."), kernel_row::diagonal_neighbours(),
                  row::choice("workload.direction_order", "directions", {"directions", "dimensions", "flood"},
                              "after which messages a task waits for its neighbours': directions: each; dimensions: "
                              "those of both directions of a dimension; flood: all of all repetitions.")}});

}  // namespace
}  // namespace weft::workloads
