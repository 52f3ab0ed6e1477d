// All-to-all "pairwise": in each step every task sends one message and waits for one.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Step i: a power of two of tasks exchanges with r xor i; others send to r + i and wait for r - i. MPICH's "pairwise
/// exchange"; Open MPI's takes r + i and r - i always.
struct AllToAllPairwise : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2 + 1);
    const bool sends = slot % 2 == 0;
    u32 peer = task ^ step;
    if (!std::has_single_bit(tasks)) peer = sends ? task_after(task, step, tasks) : task_before(task, step, tasks);
    return sends ? send_op(peer, bytes) : receive_op(peer, bytes);
  }
};

const bool all_to_all_pairwise_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "pairwise",
     .help = "step i: exchange with r xor i, or r + i and r - i if P is no power of two (MPICH: pairwise); any number "
             "of tasks",
     .make = collective_program<AllToAllPairwise>});

}  // namespace
}  // namespace weft::workloads
