// Kernel "butterfly" (BU): log2 N pairwise exchanges over doubling distances, as in an all-reduce or an FFT.
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Step n: compute, send to the partner task xor 2^n with tag n, then wait for its message with tag n (Navaridas,
/// Miguel-Alonso, Ridruejo, PDSEC 2008, figure 3).
struct ButterflyPlan {
  u32 levels;
  StageLengths lengths;
  u32 repetitions;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{3} * levels; }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 3);
    if (slot % 3 == 0) return compute_op(computing);
    const u32 partner = task ^ (u32{1} << step);
    const u64 bytes = lengths.at(step);
    return slot % 3 == 1 ? send_op(partner, bytes, step) : receive_op(partner, bytes, step);
  }
};

std::unique_ptr<Program> make_butterfly(const KernelSpec& spec) {
  const u32 levels = task_levels(spec);
  return planned_program("butterfly of " + std::to_string(spec.tasks), spec.tasks,
                         ButterflyPlan{levels, stage_lengths(spec, levels), spec.repetitions, compute_ns(spec)});
}

KernelKind butterfly_kind(const std::string& help) {
  return {.help = help,
          .make = make_butterfly,
          .settings = {kernel_row::compute_ns("computing before each exchange."), kernel_row::stage_lengths()}};
}

const bool butterfly_registered =
    KernelRegistry::instance().add(
        "butterfly", butterfly_kind("exchange with partner task xor 2^n, n = 0, 1...; tasks: a power of two")) &&
    KernelRegistry::instance().add("BU", butterfly_kind("butterfly"));

}  // namespace
}  // namespace weft::workloads
