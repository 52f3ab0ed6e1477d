// Kernel "inverse-binary-tree" (IBT): a broadcast from task 0 to N tasks along a binomial tree.
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// The binary tree backwards: p = N/2, N/4 ... 1; the odd multiples of p wait for task - p, the even ones, which have
/// the data by then, send to task + p.
struct InverseBinaryTreePlan {
  u32 levels;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return levels; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 p = u32{1} << (levels - 1 - slot);
    if (task % p != 0) return {};
    return (task & p) == 0 ? send_op(task + p, bytes) : receive_op(task - p, bytes);
  }
};

std::unique_ptr<Program> make_inverse_binary_tree(const KernelSpec& spec) {
  return planned_program("inverse-binary-tree of " + std::to_string(spec.tasks), spec.tasks,
                         InverseBinaryTreePlan{task_levels(spec), spec.message_bytes, spec.repetitions});
}

const bool inverse_binary_tree_registered =
    KernelRegistry::instance().add(
        "inverse-binary-tree",
        {.help = "1-to-N broadcast from task 0; tasks: a power of two", .make = make_inverse_binary_tree}) &&
    KernelRegistry::instance().add("IBT", {.help = "inverse-binary-tree", .make = make_inverse_binary_tree});

}  // namespace
}  // namespace weft::workloads
