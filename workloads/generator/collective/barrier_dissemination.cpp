// Barrier "dissemination": in each round every task tells one that is twice as far away what it knows.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Round k: send to r + 2^k, receive from r - 2^k; tag k. Hensgen, Finkel, Manber, IJPP 17(1), 1988; MPICH's
/// "dissemination", Open MPI's "bruck".
struct BarrierDissemination : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 k = static_cast<u32>(slot / 2), distance = u32{1} << k;
    if (slot % 2 == 0) return send_op(task_after(task, distance, tasks), 0, k);
    return receive_op(task_before(task, distance, tasks), 0, k);
  }
};

const bool barrier_dissemination_registered = add_collective(
    {.operation = "barrier",
     .algorithm = "dissemination",
     .help = "round k: send to r + 2^k, wait for r - 2^k (MPICH: dissemination, Open MPI: bruck); any number of tasks",
     .make = collective_program<BarrierDissemination>,
     .usual = true});

}  // namespace
}  // namespace weft::workloads
