// Reduce-scatter "pairwise": each piece goes to the task that adds it up, one in each step.
#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/collective/reduce_scatter_forms.hpp"

namespace weft::workloads {
namespace {

/// Step i: send to r + i the piece that is for it, receive from r - i. Thakur, Rabenseifner, Gropp 2005, section 4.3;
/// MPICH's "pairwise".
struct ReduceScatterPairwise : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const auto i = static_cast<u32>(slot / 2 + 1);
    if (slot % 2 == 0) return send_op(task_after(task, i, tasks), bytes);
    return receive_op(task_before(task, i, tasks), bytes);
  }
};

const bool reduce_scatter_pairwise_registered = add_reduce_scatter(
    {.algorithm = "pairwise",
     .help = "step i: send to r + i its piece, receive one from r - i (MPICH: pairwise); any number of tasks",
     .make = collective_program<ReduceScatterPairwise>});

}  // namespace
}  // namespace weft::workloads
