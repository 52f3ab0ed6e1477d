// Barrier "recursive-doubling": pairs wait for each other, over doubling distances.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// C is the largest power of two of the tasks. Tag 0: tasks from C on tell task - C that they have come; tag 1 + k:
/// r < C and r xor 2^k tell each other; last tag: tasks from C on are let go. Open MPI's "recursive doubling".
struct BarrierRecursiveDoubling : CollectivePlan {
  u32 core() const { return std::bit_floor(tasks); }
  u32 levels() const { return static_cast<u32>(std::countr_zero(core())); }
  u64 slots() const { return 2 + u64{2} * levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 child = task < core() ? task + core() : task;
    const TreeEdge edge{child < tasks, child - core(), child};
    if (slot == 0) return up(edge, task, 0);
    if (slot + 1 == slots()) return down(edge, task, 0, levels() + 1);
    if (task >= core()) return {};
    const u32 k = static_cast<u32>((slot - 1) / 2), peer = task ^ (u32{1} << k);
    return slot % 2 == 1 ? send_op(peer, 0, 1 + k) : receive_op(peer, 0, 1 + k);
  }
};

const bool barrier_recursive_doubling_registered = add_collective(
    {.operation = "barrier",
     .algorithm = "recursive-doubling",
     .help =
         "step k: exchange with r xor 2^k; tasks beyond a power of two before and after that with r - 2^b (Open MPI: "
         "recursive doubling); any number of tasks",
     .make = collective_program<BarrierRecursiveDoubling>});

}  // namespace
}  // namespace weft::workloads
