// Kernel "binary-tree" (BT): a reduction from N tasks to task 0 along a binomial tree.
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Step n, p = 2^n: tasks that are multiples of 2p wait for task + p; the other multiples of p send to task - p and are
/// done; the rest was done before.
struct BinaryTreePlan {
  u32 levels;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return levels; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 p = u32{1} << slot;
    if (task % p != 0) return {};
    return (task & p) == 0 ? receive_op(task + p, bytes) : send_op(task - p, bytes);
  }
};

std::unique_ptr<Program> make_binary_tree(const KernelSpec& spec) {
  return planned_program("binary-tree of " + std::to_string(spec.tasks), spec.tasks,
                         BinaryTreePlan{task_levels(spec), spec.message_bytes, spec.repetitions});
}

const bool binary_tree_registered =
    KernelRegistry::instance().add(
        "binary-tree", {.help = "N-to-1 reduction to task 0; tasks: a power of two", .make = make_binary_tree}) &&
    KernelRegistry::instance().add("BT", {.help = "binary-tree", .make = make_binary_tree});

}  // namespace
}  // namespace weft::workloads
