// All-to-all "linear": every task sends all it has, each beginning at its neighbour, then waits for all.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Task r sends to r + 1, r + 2 ... without waiting, so that at first all destinations differ; then it waits for r - 1,
/// r - 2 ... Open MPI's "linear", MPICH's "scattered"; the kernel distribution.
struct AllToAllLinear : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 others = tasks - 1;
    if (slot < others) return send_op(task_after(task, static_cast<u32>(slot + 1), tasks), bytes);
    return receive_op(task_before(task, static_cast<u32>(slot - others + 1), tasks), bytes);
  }
};

const bool all_to_all_linear_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "linear",
     .help = "send to r + 1, r + 2 ... without waiting, then receive from all (Open MPI: linear, MPICH: scattered); "
             "any number of tasks",
     .make = collective_program<AllToAllLinear>,
     .usual = true});

}  // namespace
}  // namespace weft::workloads
