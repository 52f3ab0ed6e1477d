// Allgather "ring": every task passes on to the next what it got last.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Step s: task r sends the part of task r - s to r + 1, then waits for the next from r - 1. MPICH's and Open MPI's
/// "ring".
struct AllgatherRing : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    if (slot % 2 == 0) return send_op(task_after(task, 1, tasks), bytes);
    return receive_op(task_before(task, 1, tasks), bytes);
  }
};

const bool allgather_ring_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "ring",
     .help = "P - 1 steps: send to r + 1 what came last from r - 1 (MPICH, Open MPI: ring); any number of tasks",
     .make = collective_program<AllgatherRing>});

}  // namespace
}  // namespace weft::workloads
