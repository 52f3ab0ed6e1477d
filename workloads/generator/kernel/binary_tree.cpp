// Kernel "binary-tree" (BT): a reduction or a gather from N tasks to task 0 along a binomial tree.
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Step n, p = 2^n: tasks that are multiples of 2p wait for task + p; the other multiples of p compute, send to task -
/// p and are done; the rest was done before (Navaridas, Miguel-Alonso, Ridruejo, PDSEC 2008, figure 1).
struct BinaryTreePlan {
  u32 levels;
  StageLengths lengths;
  u32 repetitions;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * levels; }
  Op op(u32 task, u32, u64 slot) const {
    const auto stage = static_cast<u32>(slot / 2);
    const u32 p = u32{1} << stage;
    if (task % p != 0) return {};
    const bool receives = (task & p) == 0;
    if (slot % 2 == 0) return receives ? Op{} : compute_op(computing);
    return receives ? receive_op(task + p, lengths.at(stage)) : send_op(task - p, lengths.at(stage));
  }
};

std::unique_ptr<Program> make_binary_tree(const KernelSpec& spec) {
  const u32 levels = task_levels(spec);
  return planned_program("binary-tree of " + std::to_string(spec.tasks), spec.tasks,
                         BinaryTreePlan{levels, stage_lengths(spec, levels), spec.repetitions, compute_ns(spec)});
}

KernelKind binary_tree_kind(const std::string& help) {
  return {.help = help,
          .make = make_binary_tree,
          .settings = {kernel_row::compute_ns("computing before each send."), kernel_row::stage_lengths()}};
}

const bool binary_tree_registered =
    KernelRegistry::instance().add("binary-tree",
                                   binary_tree_kind("N-to-1 reduction to task 0; tasks: a power of two")) &&
    KernelRegistry::instance().add("BT", binary_tree_kind("binary-tree"));

}  // namespace
}  // namespace weft::workloads
