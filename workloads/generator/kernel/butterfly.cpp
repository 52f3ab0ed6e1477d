// Kernel "butterfly" (BU): log2 N pairwise exchanges over doubling distances, as in an all-reduce or an FFT.
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Step n: send to the partner task xor 2^n with tag n, then wait for its message with tag n.
struct ButterflyPlan {
  u32 levels;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * levels; }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    const u32 partner = task ^ (u32{1} << step);
    return slot % 2 == 0 ? send_op(partner, bytes, step) : receive_op(partner, bytes, step);
  }
};

std::unique_ptr<Program> make_butterfly(const KernelSpec& spec) {
  return planned_program("butterfly of " + std::to_string(spec.tasks), spec.tasks,
                         ButterflyPlan{task_levels(spec), spec.message_bytes, spec.repetitions});
}

const bool butterfly_registered =
    KernelRegistry::instance().add(
        "butterfly",
        {.help = "exchange with partner task xor 2^n, n = 0, 1...; tasks: a power of two", .make = make_butterfly}) &&
    KernelRegistry::instance().add("BU", {.help = "butterfly", .make = make_butterfly});

}  // namespace
}  // namespace weft::workloads
