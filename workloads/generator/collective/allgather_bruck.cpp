// Allgather "bruck": as many steps as recursive doubling, for any number of tasks.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Step k, p = 2^k < tasks: task r has the parts of r .. r + p - 1 and sends the first min(p, tasks - p) of them to
/// r - p. Bruck et al., IEEE TPDS 8(11), 1997; MPICH's and Open MPI's "Bruck".
struct AllgatherBruck : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    const u32 p = u32{1} << step;
    const u64 length = bytes * std::min(p, tasks - p);
    if (slot % 2 == 0) return send_op(task_before(task, p, tasks), length, step);
    return receive_op(task_after(task, p, tasks), length, step);
  }
};

const bool allgather_bruck_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "bruck",
     .help = "step k: send min(2^k, P - 2^k) parts to r - 2^k (MPICH, Open MPI: Bruck); any number of tasks",
     .make = collective_program<AllgatherBruck>,
     .longest = [](u32 tasks) { return u64{tasks / 2}; }});

}  // namespace
}  // namespace weft::workloads
