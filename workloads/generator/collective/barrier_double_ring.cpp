// Barrier "double-ring": a message goes round the ring of all tasks twice.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Twice: task 0 sends to task 1, each task waits for r - 1 before it sends to r + 1, and task 0 waits for the last
/// one; tags number the rounds. Open MPI's "double ring".
struct BarrierDoubleRing : CollectivePlan {
  u64 slots() const { return tasks > 1 ? 4 : 0; }
  Op op(u32 task, u32, u64 slot) const {
    const auto turn = static_cast<u32>(slot / 2);
    const bool sends = (slot % 2 == 0) == (task == 0);
    return sends ? send_op(task_after(task, 1, tasks), 0, turn) : receive_op(task_before(task, 1, tasks), 0, turn);
  }
};

const bool barrier_double_ring_registered = add_collective(
    {.operation = "barrier",
     .algorithm = "double-ring",
     .help = "twice round the ring: wait for r - 1, send to r + 1 (Open MPI: double ring); any number of tasks",
     .make = collective_program<BarrierDoubleRing>});

}  // namespace
}  // namespace weft::workloads
