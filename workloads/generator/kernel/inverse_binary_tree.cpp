// Kernel "inverse-binary-tree" (IBT): a broadcast or a scatter from task 0 to N tasks along a binomial tree.
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// The binary tree backwards: p = N/2, N/4 ... 1; the odd multiples of p wait for task - p, the even ones, which have
/// the data by then, compute and send to task + p (Navaridas, Miguel-Alonso, Ridruejo, PDSEC 2008, figure 2).
struct InverseBinaryTreePlan {
  u32 levels;
  StageLengths lengths;
  u32 repetitions;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * levels; }
  Op op(u32 task, u32, u64 slot) const {
    const auto stage = static_cast<u32>(slot / 2);
    const u32 p = u32{1} << (levels - 1 - stage);
    if (task % p != 0) return {};
    const bool sends = (task & p) == 0;
    if (slot % 2 == 0) return sends ? compute_op(computing) : Op{};
    return sends ? send_op(task + p, lengths.at(stage)) : receive_op(task - p, lengths.at(stage));
  }
};

std::unique_ptr<Program> make_inverse_binary_tree(const KernelSpec& spec) {
  const u32 levels = task_levels(spec);
  return planned_program(
      "inverse-binary-tree of " + std::to_string(spec.tasks), spec.tasks,
      InverseBinaryTreePlan{levels, stage_lengths(spec, levels), spec.repetitions, compute_ns(spec)});
}

KernelKind inverse_binary_tree_kind(const std::string& help) {
  return {.help = help,
          .make = make_inverse_binary_tree,
          .settings = {kernel_row::compute_ns("computing before each send."), kernel_row::stage_lengths()}};
}

const bool inverse_binary_tree_registered =
    KernelRegistry::instance().add("inverse-binary-tree",
                                   inverse_binary_tree_kind("1-to-N broadcast from task 0; tasks: a power of two")) &&
    KernelRegistry::instance().add("IBT", inverse_binary_tree_kind("inverse-binary-tree"));

}  // namespace
}  // namespace weft::workloads
